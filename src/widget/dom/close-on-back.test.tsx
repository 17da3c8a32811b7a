import { afterEach, expect, it, vi } from 'vitest';
import { type MountedPanel, mountPanel } from '../../../test/widget/mount-panel.ts';
import '../../../test/widget/all-parts.ts';

let view: MountedPanel;
const isOpen = () => view.panel.isOpen.peek();

/** Removes `CloseWatcher`, which Safari and Firefox lack. */
function withoutWatcher(): void {
  vi.stubGlobal('CloseWatcher', undefined);
  Reflect.deleteProperty(window, 'CloseWatcher');
}

/** Opens a sheet, because the window of the tests is small. */
async function openSheet(): Promise<void> {
  view = mountPanel();
  view.panel.open(false);
  expect(view.find('.frame').dataset['layout']).toBe('sheet');
}
afterEach(() => {
  view.destroy();
  vi.unstubAllGlobals();
});

it('closes the sheet by the browser’s own close watcher, after the menu', async () => {
  const watchers: EventTarget[] = [];
  class Watcher extends EventTarget {
    oncancel: ((event: Event) => void) | null = null;
    onclose: (() => void) | null = null;
    isDestroyed = false;
    constructor() {
      super();
      watchers.push(this);
    }
    /** Simulates a Back gesture. */
    requestClose(): void {
      const cancel = new Event('cancel', { cancelable: true });
      this.oncancel?.(cancel);
      if (!cancel.defaultPrevented) this.onclose?.();
    }
    destroy(): void {
      this.isDestroyed = true;
    }
  }
  vi.stubGlobal('CloseWatcher', Watcher);
  const { length } = history;
  await openSheet();
  await vi.waitFor(() => expect(watchers).toHaveLength(1));
  const [watcher] = watchers as Watcher[];
  view.button('More').click();
  await vi.waitFor(() => view.find('[role=menu]'));
  watcher?.requestClose();
  await vi.waitFor(() => expect(view.all('[role=menu]')).toEqual([]));
  expect([isOpen(), watcher?.isDestroyed]).toEqual([true, false]);
  watcher?.requestClose();
  expect([isOpen(), watcher?.isDestroyed]).toEqual([false, true]);
  expect(history).toHaveLength(length);
});

it('adds one history entry in a browser without close watchers, with the page’s own address and state', async () => {
  withoutWatcher();
  history.replaceState({ page: 1 }, '');
  const { href } = location;
  await openSheet();
  await vi.waitFor(() => expect(history.state).toEqual({ page: 1, natterSheet: true }));
  history.back();
  await vi.waitFor(() => expect(isOpen()).toBe(false));
  expect([history.state, location.href]).toEqual([{ page: 1 }, href]);

  // Closing the sheet in another way also removes the entry.
  view.panel.open(false);
  await vi.waitFor(() => expect(history.state).toHaveProperty('natterSheet'));
  view.button('Close chat').click();
  await vi.waitFor(() => expect(history.state).toEqual({ page: 1 }));

  // After a further navigation of the page, its entries stay.
  view.panel.open(false);
  await vi.waitFor(() => expect(history.state).toHaveProperty('natterSheet'));
  history.pushState({ page: 2 }, '');
  view.button('Close chat').click();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(history.state).toEqual({ page: 2 });
  history.replaceState(null, '');
});

it('leaves the history entry if a link of the chat leads to another page', async () => {
  withoutWatcher();
  const back = vi.spyOn(history, 'back').mockReturnValue();
  await openSheet();
  await vi.waitFor(() => expect(history.state).toHaveProperty('natterSheet'));
  view.chat.says(`[Fares](${location.origin}/fares)`);
  await vi.waitFor(() => view.find('.rich a'));
  const link = view.find('.rich a');
  link.addEventListener('click', (event) => event.preventDefault());
  link.click();
  expect([isOpen(), back.mock.calls.length]).toEqual([false, 0]);
  back.mockRestore();
  history.replaceState(null, '');
});
