import { afterEach, expect, it, vi } from 'vitest';
import { ADA, createFakeChat, MAREN } from '../../../../test/widget/fake-chat.ts';
import { type MountedPanel, mountPanel } from '../../../../test/widget/mount-panel.ts';

// Loads the lazy part up front, because its loading is not tested here.
import './index.ts';

let view: MountedPanel;
afterEach(() => view.destroy());

const card = () =>
  view
    .all('.handoff')
    .map(({ textContent }) => textContent?.replaceAll('\u00a0', ' ').replaceAll('\u2060', ''));

it('shows one card for a hand-off: connecting, the place in the queue, and the person who joined', async () => {
  view = mountPanel();
  view.panel.open(true);
  view.chat.notes({ code: 'handoff_started' });
  const nobody = 'If nobody is free, Ada will keep helping you.';
  await vi.waitFor(() => expect(card()).toEqual([`Connecting you to our team${nobody}`]));
  const element = view.find('.handoff');
  view.chat.notes({ code: 'handoff_accepted', queueName: 'Bookings' });
  view.chat.queue.value = { queueName: 'Bookings', position: 3, estimatedWaitSeconds: 240, message: null };
  await vi.waitFor(() =>
    expect(card()).toEqual([
      `You’re in the queue for BookingsYou’re number 3 in the queueabout 4 minutes${nobody}`,
    ]),
  );
  expect(view.find('.handoff')).toBe(element);
  expect(view.all('.queue')).toHaveLength(1);
  view.chat.queue.value = null;
  view.chat.speaker.value = MAREN;
  view.chat.notes({ code: 'live_agent_joined', name: 'Maren Voss' });
  await vi.waitFor(() => expect(card()).toEqual(['MMaren Voss has joined']));
  expect(view.all('.system')).toEqual([]);
});

it('shows the desk’s hours while the visitor waits and after a failed hand-off', async () => {
  view = mountPanel();
  view.panel.open(true);
  view.chat.notes({ code: 'handoff_started', hours: 'every day 07:00–20:00' });
  view.chat.notes({ code: 'agent_left', name: 'Ada' });
  view.chat.notes({ code: 'handoff_accepted', queueName: null });
  const hours = 'Our team is available every day 07:00–20:00';
  await vi.waitFor(() => expect(card().join()).toContain(`You’re in the queue${hours}`));
  view.chat.notes({ code: 'handoff_timed_out' });
  await vi.waitFor(() => expect(card()).toEqual([`Nobody is free right now${hours}`]));
  view.chat.notes({ code: 'handoff_started' });
  await vi.waitFor(() => expect(card()).toHaveLength(2));
  expect(card()[1]).not.toContain('Our team is available');
});

it('labels a script that plays a person as a demonstration', async () => {
  const grace = { ...MAREN, id: 'scripted-grace', name: 'Grace' };
  view = mountPanel();
  view.panel.open(true);
  view.chat.speaker.value = grace;
  view.chat.says('Hello, I am Grace.', { speaker: grace });
  await vi.waitFor(() => expect(view.find('.who').textContent).toBe('GraceDemonstration'));
  expect(view.find('.speaker').textContent).toBe('GGraceDemonstration');
  view.chat.says('This is Maren.', { speaker: MAREN });
  view.chat.speaker.value = MAREN;
  await vi.waitFor(() => expect(view.find('.who').textContent).toBe('Maren VossA member of our team'));
  expect(view.all('.speaker').at(-1)?.textContent).toBe('MMaren VossPerson');
});

it('says that a hand-off failed, and offers the contact', async () => {
  view = mountPanel({ contactUrl: 'https://example.com/contact' });
  view.panel.open(true);
  view.chat.notes({ code: 'handoff_started' });
  view.chat.notes({ code: 'handoff_timed_out' });
  await vi.waitFor(() => expect(card()).toEqual(['Nobody is free right nowContact us']));
  expect(view.find<HTMLAnchorElement>('.handoff a').href).toBe('https://example.com/contact');
});

it('shows the place in the queue without a card if the platform sent no notice', async () => {
  view = mountPanel({}, createFakeChat());
  view.panel.open(true);
  view.chat.queue.value = { queueName: null, position: 2, estimatedWaitSeconds: null, message: null };
  await vi.waitFor(() => expect(view.find('.queue').textContent).toBe('You’re number 2 in the queue'));
});

it('names the automated agent while the visitor waits for a person as it named itself', async () => {
  view = mountPanel();
  view.panel.open(true);
  view.chat.speaker.value = ADA;
  view.chat.says('Hello', { speaker: ADA });
  view.chat.notes({ code: 'handoff_started' });
  view.chat.speaker.value = null;
  view.chat.canCancelHandoff.value = true;
  await vi.waitFor(() => expect(view.find('.handoff button').textContent).toBe('Back to Ada'));
  expect(view.find('.header h2').textContent).toBe('Ada');
});

it('leads back to the automated agent if the platform lets the request be withdrawn (EXT-5)', async () => {
  view = mountPanel({ contactUrl: 'https://example.com/contact' });
  view.panel.open(true);
  view.chat.notes({ code: 'handoff_started' });
  await vi.waitFor(() => expect(view.all('.handoff')).toHaveLength(1));
  expect(view.all('.handoff button')).toEqual([]);
  view.chat.canCancelHandoff.value = true;
  await vi.waitFor(() => expect(view.find('.handoff button').textContent).toBe('Back to Ada'));
  const button = view.find<HTMLButtonElement>('.handoff button');
  // Its styles come with the card.
  expect(getComputedStyle(button).minHeight).toBe('44px');
  button.click();
  expect(view.chat.commands).toContain('cancelHandoff');
  view.chat.canCancelHandoff.value = false;
  view.chat.notes({ code: 'handoff_cancelled' });
  await vi.waitFor(() => expect(card()).toEqual(['You’re back with Ada']));
});
