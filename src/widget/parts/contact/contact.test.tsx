import { afterEach, expect, it, vi } from 'vitest';
import { type MountedPanel, mountPanel } from '../../../../test/widget/mount-panel.ts';
import type { WidgetOptions } from '../../options.ts';

let view: MountedPanel;
afterEach(() => view.destroy());

async function handOff(options: Partial<WidgetOptions> = {}): Promise<void> {
  view = mountPanel({ features: 'contact', ...options });
  view.chat.canRequestContact.value = true;
  view.panel.open(true);
  view.chat.asks('A person, please');
  view.chat.notes({ code: 'handoff_failed' });
  await vi.waitFor(() => view.find('.handoff'));
}

const requests = () => view.chat.commands.filter((command) => command.startsWith('requestContact'));

async function fillIn(email: string): Promise<void> {
  await vi.waitFor(() => view.button('Leave a message').click());
  await vi.waitFor(() => expect(view.root.activeElement).toBe(view.find('[name=email]')));
  view.find<HTMLInputElement>('[name=email]').value = email;
  view.find<HTMLInputElement>('[name=name]').value = 'Maren';
  view.find<HTMLTextAreaElement>('[name=text]').value = ' Where is my bag? ';
  view.find<HTMLFormElement>('.contact-form').requestSubmit();
}

it('accepts a contact request after a failed hand-off, and shows where the answer goes', async () => {
  await handOff();
  await fillIn('maren@example.com');
  await vi.waitFor(() =>
    expect(view.find('.contact [role=status]').textContent).toBe(
      'Thank you. We’ll reply to maren@example.com.',
    ),
  );
  expect(requests()).toEqual(['requestContact Maren, maren@example.com, Where is my bag?']);
  expect(view.all('.contact-form, .contact button')).toEqual([]);
  await vi.waitFor(() => expect(view.root.activeElement?.className).toBe('field'));
});

it('keeps a contact request that could not be sent', async () => {
  await handOff();
  await fillIn('maren@away.example');
  await vi.waitFor(() =>
    expect(view.find('.contact-problem').textContent).toBe('Not sent. Please try again.'),
  );
  expect(view.find<HTMLInputElement>('[name=name]').value).toBe('Maren');
});

it('sends no contact request without an address', async () => {
  await handOff();
  await fillIn('not an address');
  expect(requests()).toEqual([]);
});

it('closes the contact form with Escape, which leaves the chat open and the focus on the button', async () => {
  await handOff();
  await vi.waitFor(() => view.button('Leave a message').click());
  const field = await vi.waitFor(() => view.find('[name=email]'));
  field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
  await vi.waitFor(() => expect(view.root.activeElement).toBe(view.button('Leave a message')));
  expect(view.events.map(({ name }) => name)).not.toContain('close');
});

it('offers the contact form outside business hours, unless the site or its proxy has none', async () => {
  await handOff({ hours: 'Mo 00:00-00:01', hoursTimeZone: 'UTC' });
  await vi.waitFor(() => expect(view.all('.hours .contact')).toHaveLength(1));
  view.chat.canRequestContact.value = false;
  await vi.waitFor(() => expect(view.all('.contact')).toEqual([]));
  view.destroy();
  await handOff({ features: '' });
  expect(view.all('.contact')).toEqual([]);
});

it('shows the contact form instead of conversation and composer', async () => {
  await handOff();
  await vi.waitFor(() => view.button('Leave a message').click());
  await vi.waitFor(() => view.find('.contact-screen .contact-form'));
  expect(view.all('.composer, .conversation, .footer')).toEqual([]);
  view.button('Cancel').click();
  await vi.waitFor(() => expect(view.root.activeElement).toBe(view.button('Leave a message')));
  expect(view.all('.composer')).toHaveLength(1);
});

it('keeps a contact request when its form was closed with Escape', async () => {
  await handOff();
  await vi.waitFor(() => view.button('Leave a message').click());
  const text = await vi.waitFor(() => view.find<HTMLTextAreaElement>('[name=text]'));
  text.value = 'Where is my bag?';
  text.dispatchEvent(new InputEvent('input', { bubbles: true }));
  text.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
  await vi.waitFor(() => view.button('Leave a message').click());
  await vi.waitFor(() =>
    expect(view.find<HTMLTextAreaElement>('[name=text]').value).toBe('Where is my bag?'),
  );
});
