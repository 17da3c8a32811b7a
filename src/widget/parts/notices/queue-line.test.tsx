import { afterEach, expect, it, vi } from 'vitest';
import { type MountedPanel, mountPanel } from '../../../../test/widget/mount-panel.ts';

// Loads the lazy part up front, because its loading is not tested here.
import './index.ts';

let view: MountedPanel;
afterEach(() => view.destroy());

const queue = { queueName: 'Bookings', message: null } as const;
const line = () => view.root.querySelector('.queue')?.textContent?.trim();

it('shows and announces place and wait in the queue, in place, until the visitor leaves the queue', async () => {
  view = mountPanel();
  view.panel.open(true);
  view.chat.queue.value = { ...queue, position: 3, estimatedWaitSeconds: 240 };
  await vi.waitFor(() => expect(line()).toBe('You’re number 3 in the queueabout 4 minutes'));
  const element = view.find('.queue');
  view.chat.queue.value = { ...queue, position: 1, estimatedWaitSeconds: 30 };
  await vi.waitFor(() => expect(line()).toBe('You’re next in the queueless than a minute'));
  expect(view.find('.queue')).toBe(element);
  await vi.waitFor(() =>
    expect(view.find('[aria-live=polite]').textContent).toContain(
      'You’re next in the queue, less than a minute',
    ),
  );
  view.chat.queue.value = null;
  await vi.waitFor(() => expect(line()).toBeUndefined());
});
