import { afterEach, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import type { WidgetOptions } from '../options.ts';
import { type MountedPanel, mountPanel } from '../testing/mount-panel.ts';

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

it('takes a message after a hand-off that failed, and says where the answer goes', async () => {
  await handOff();
  await fillIn('maren@example.com');
  await vi.waitFor(() =>
    expect(view.find('.contact [role=status]').textContent).toBe(
      'Thank you. We will answer to maren@example.com.',
    ),
  );
  expect(requests()).toEqual(['requestContact Maren, maren@example.com, Where is my bag?']);
  expect(view.all('.contact-form, .contact button')).toEqual([]);
});

it('keeps what was written when it could not be sent', async () => {
  await handOff();
  await fillIn('maren@away.example');
  await vi.waitFor(() =>
    expect(view.find('.contact-problem').textContent).toBe('Not sent. Please try again.'),
  );
  expect(view.find<HTMLInputElement>('[name=name]').value).toBe('Maren');
});

it('sends nothing without an address', async () => {
  await handOff();
  await fillIn('not an address');
  expect(requests()).toEqual([]);
});

it('is put away by Escape, which leaves the chat open and the focus on the button', async () => {
  await handOff();
  await vi.waitFor(() => view.button('Leave a message').click());
  const field = await vi.waitFor(() => view.find('[name=email]'));
  field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
  await vi.waitFor(() => expect(view.root.activeElement).toBe(view.button('Leave a message')));
  expect(view.events.map(({ name }) => name)).not.toContain('close');
});

it('is offered outside business hours, and not where the site or its proxy has none', async () => {
  await handOff({ hours: 'Mo 00:00-00:01', hoursTimeZone: 'UTC' });
  await vi.waitFor(() => expect(view.all('.hours .contact')).toHaveLength(1));
  view.chat.canRequestContact.value = false;
  await vi.waitFor(() => expect(view.all('.contact')).toEqual([]));
  view.destroy();
  await handOff({ features: '' });
  expect(view.all('.contact')).toEqual([]);
});

it('has room for its form outside business hours, and leaves the composer whole', async () => {
  await page.viewport(1_280, 800);
  view = mountPanel({ features: 'contact', hours: 'Mo 00:00-00:01', hoursTimeZone: 'UTC' });
  view.chat.canRequestContact.value = true;
  view.panel.open(true);
  view.chat.says('Hello!');
  await vi.waitFor(() => view.button('Leave a message').click());
  const form = await vi.waitFor(() => view.find('.contact-form'));
  await vi.waitFor(() => expect(form.getBoundingClientRect().height).toBeGreaterThan(300));
  const footer = view.find('.footer');
  expect(footer.scrollHeight).toBeLessThanOrEqual(footer.clientHeight);
  const hours = view.find('.hours');
  expect(hours.scrollHeight).toBeLessThanOrEqual(hours.clientHeight);
});

it('has what was written before Escape when it is opened again', async () => {
  await handOff();
  await vi.waitFor(() => view.button('Leave a message').click());
  const text = await vi.waitFor(() => view.find<HTMLTextAreaElement>('[name=text]'));
  text.value = 'Where is my bag?';
  text.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
  await vi.waitFor(() => view.button('Leave a message').click());
  await vi.waitFor(() =>
    expect(view.find<HTMLTextAreaElement>('[name=text]').value).toBe('Where is my bag?'),
  );
});
