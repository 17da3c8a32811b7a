import { storageKey } from '../../client/index.ts';
import { isAlwaysOpen, type WidgetOptions } from '../../widget/index.ts';

/** What the next page of a tab shows at once. */
export interface TabState {
  readonly isOpen: boolean;
  /** How many messages came since the visitor last looked. */
  readonly unread: number;
}

/** Keeps how a tab shows the chat, from page to page. Nothing is kept where the browser forbids it. */
export interface TabMemory {
  read(): TabState;
  /** Closed and nothing unread is what every tab begins with, and is not stored. */
  write(state: TabState): void;
}

/** The loader looks for keys that begin so, and fetches the panel where there is one. */
const PREFIX = 'natter-panel:';
const NOTHING: TabState = { isOpen: false, unread: 0 };

/** The memory of one widget in `sessionStorage`: under its own key, `open` while the panel is open, and a number. */
export function openTabMemory(options: WidgetOptions): TabMemory {
  const key = PREFIX + storageKey(options.endpoint, options.connector || 'default');
  const withStorage = <Value>(use: (storage: Storage) => Value, otherwise: Value): Value => {
    try {
      return isAlwaysOpen(options) ? otherwise : use(sessionStorage);
    } catch {
      // Storage is blocked or full: the state lasts as long as the page.
      return otherwise;
    }
  };
  return {
    read: () =>
      withStorage((storage) => {
        const [, open, unread] = /^(open)? ?(\d{1,6})$/.exec(storage.getItem(key) ?? '') ?? [];
        return unread === undefined ? NOTHING : { isOpen: open !== undefined, unread: Number(unread) };
      }, NOTHING),
    write: ({ isOpen, unread }) =>
      withStorage((storage) => {
        if (isOpen || unread > 0) storage.setItem(key, isOpen ? `open ${unread}` : `${unread}`);
        else storage.removeItem(key);
      }, undefined),
  };
}
