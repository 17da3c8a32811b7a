import { storageKey } from '../../client/index.ts';
import { isAlwaysOpen, type WidgetOptions } from '../../widget/index.ts';

/** The state that the next page of a tab restores. */
export interface TabState {
  readonly isOpen: boolean;
  /** How many messages came since the visitor last looked. */
  readonly unread: number;
}

/** Stores the chat's state in a tab, for the tab's next page. Stores nothing where the browser forbids it. */
export interface TabMemory {
  read(): TabState;
  /** Removes the entry if the panel is closed and nothing is unread, because every tab begins in that state. */
  write(state: TabState): void;
}

/** The loader loads the panel if it finds a key with this prefix. */
const PREFIX = 'natter-panel:';
const NOTHING: TabState = { isOpen: false, unread: 0 };

/**
 * Opens the memory of one widget in `sessionStorage`. Its entry is the number of unread messages, after `open` while
 * the panel is open: `open 2`.
 */
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
