import type { PanelModel } from '../panel/model/panel-model.ts';
import { stepBack } from '../panel/model/step-back.ts';

/** The browser's close watcher, where it exists: the Back gesture of phones and Escape call `onclose`. */
interface CloseWatcher {
  /** Not dispatched before the visitor has done something on the page. */
  oncancel: ((event: Event) => void) | null;
  onclose: (() => void) | null;
  destroy(): void;
}

/** Marks the history entry that stands for the open sheet. */
const KEY = 'natterSheet';

/**
 * Lets the Back gesture of a phone close the open sheet, or the layer above it, instead of leaving the page. Returns a
 * function that stops it.
 */
export function closeOnBack(model: PanelModel): () => void {
  const Watcher = Object.hasOwn(window, 'CloseWatcher')
    ? (Reflect.get(window, 'CloseWatcher') as new () => CloseWatcher)
    : null;
  return Watcher ? watchClose(new Watcher(), model) : watchHistory(model);
}

function watchClose(watcher: CloseWatcher, model: PanelModel): () => void {
  watcher.oncancel = (event) => {
    if (stepBack(model)) event.preventDefault();
  };
  watcher.onclose = () => model.close(true);
  return () => watcher.destroy();
}

const isOnEntry = (): boolean => Object(history.state)[KEY] === true;

/**
 * Adds one history entry with the page's own address and state, so that the page's router has nothing to do when Back
 * removes it.
 */
function watchHistory(model: PanelModel): () => void {
  const controller = new AbortController();
  const { href } = location;
  const push = (): void => {
    if (!isOnEntry()) history.pushState({ ...history.state, [KEY]: true }, '');
  };
  const onPopState = (): void => {
    // The page has navigated, or returned to the entry.
    if (isOnEntry() || location.href !== href) return;
    if (stepBack(model)) {
      push();
      return;
    }
    controller.abort();
    model.close(true);
  };
  push();
  addEventListener('popstate', onPopState, { signal: controller.signal });
  return () => {
    if (controller.signal.aborted) return;
    controller.abort();
    // Going back would cancel the navigation.
    if (isOnEntry() && !model.isLeaving.peek()) history.back();
  };
}
