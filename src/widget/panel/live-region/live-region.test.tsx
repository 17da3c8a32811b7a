import { afterEach, expect, it, vi } from 'vitest';
import { type MountedPanel, mountPanel } from '../../../../test/widget/mount-panel.ts';

let view: MountedPanel;
afterEach(() => {
  vi.useRealTimers();
  view.destroy();
});

const announced = () => view.all('[aria-live=polite] > p').map((line) => line.textContent);

it('announces a table by its number of rows, without its cells', async () => {
  view = mountPanel();
  view.panel.open(true);
  view.chat.says('Two fares:\n\n| Route | Fare |\n|---|--:|\n| Skarø | €64 |\n| Lund | €92 |\n\nWhich one?');
  await vi.waitFor(() =>
    expect(announced()).toEqual(['Ada says: Two fares:\n\nTable, 2 rows.\n\nWhich one?']),
  );
});

it('removes an announced text, so that readers of the page do not find each message twice', async () => {
  vi.useFakeTimers();
  view = mountPanel();
  view.panel.open(true);
  view.chat.says('One.');
  await vi.advanceTimersByTimeAsync(5_000);
  view.chat.says('Two.');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(announced()).toEqual(['Ada says: One.', 'Ada says: Two.']);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(announced()).toEqual(['Ada says: Two.']);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(announced()).toEqual([]);
});

it('announces the states of a hand-off card one after the other, also if all arrive at once', async () => {
  view = mountPanel();
  view.panel.open(true);
  view.chat.says('Of course.');
  const before = view.chat.messages.peek();
  view.chat.says('I will find somebody.');
  view.chat.notes({ code: 'handoff_started' });
  view.chat.notes({ code: 'agent_left', name: 'Ada' });
  view.chat.notes({ code: 'handoff_accepted', queueName: 'Bookings' });
  const all = view.chat.messages.peek();
  view.destroy();
  view = mountPanel();
  view.panel.open(true);
  view.chat.messages.value = before;
  view.chat.messages.value = all;
  await vi.waitFor(() =>
    expect(announced()).toEqual([
      'Ada says: Of course.',
      'Ada says: I will find somebody.',
      'Connecting you to our team',
      'You’re in the queue for Bookings',
    ]),
  );
  view.chat.notes({ code: 'handoff_cancelled' });
  view.chat.notes({ code: 'agent_joined', name: 'Ada' });
  await vi.waitFor(() => expect(announced().slice(4)).toEqual(['You’re back with Ada']));
});

it('does not announce the agent who answers again after a failed hand-off', async () => {
  view = mountPanel();
  view.panel.open(true);
  view.chat.notes({ code: 'agent_joined', name: 'Ada' });
  view.chat.notes({ code: 'handoff_failed' });
  await vi.waitFor(() => expect(announced()).toEqual(['We couldn’t connect you to our team']));
  view.chat.notes({ code: 'agent_joined', name: 'Ada' });
  view.chat.says('Here I am.');
  await vi.waitFor(() => expect(announced()).toContain('Ada says: Here I am.'));
  expect(announced()).not.toContain('Ada joined the chat');
});

it('announces events in their order, also if the text of the first has to be loaded', async () => {
  view = mountPanel();
  view.panel.open(true);
  view.chat.notes({ code: 'handoff_failed' });
  view.chat.says('Here I am.');
  await vi.waitFor(() =>
    expect(announced()).toEqual(['We couldn’t connect you to our team', 'Ada says: Here I am.']),
  );
});
