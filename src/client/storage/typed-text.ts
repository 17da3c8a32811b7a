import type { TabStoragePort } from '../ports.ts';
import { isFresh, type StoredConversation } from './stored-conversation.ts';

/** Stores the composer's text for the next page of the tab. */
export interface TypedText {
  /** Stores a text, replacing the previous one; an empty text removes it. */
  save(text: string): void;
  /** Returns the stored text; empty if there is none. */
  peek(): string;
  /** Returns the text that an earlier page of the tab stored for this visitor; empty for none. */
  read(stored: StoredConversation | null, owner: string): string;
}

export interface TypedTextOptions {
  /** Null if nothing should be stored. */
  readonly storage: () => TabStoragePort | null;
  readonly key: string;
  /** Hash of the visitor's user; empty without one. */
  readonly owner: () => string;
  /** Whether the text belongs to a resumable conversation, and is removed with it. */
  readonly isOfConversation: () => boolean;
  readonly now: () => number;
}

/** Whether it belongs to a conversation, the user's hash, and the text. A hash contains no space. */
const FORMAT = /^(chat|none) (\S*) ([\s\S]+)$/;

export function createTypedText({ storage, key, owner, isOfConversation, now }: TypedTextOptions): TypedText {
  const attempt = <Value>(use: (tab: TabStoragePort) => Value): Value | null => {
    try {
      const tab = storage();
      return tab && use(tab);
    } catch {
      // Blocked or full: the text lives as long as the page.
      return null;
    }
  };
  const save = (text: string): void => {
    const place = isOfConversation() ? 'chat' : 'none';
    attempt((tab) => (text ? tab.setItem(key, `${place} ${owner()} ${text}`) : tab.removeItem(key)));
  };
  const find = (): RegExpExecArray | null => FORMAT.exec(attempt((tab) => tab.getItem(key)) ?? '');
  return {
    save,
    peek: () => find()?.[3] ?? '',
    read(stored, visitor) {
      const found = find();
      if (!found) return '';
      const [, place, writer = '', text = ''] = found;
      if (place === 'chat' && !isFresh(stored, now())) {
        save('');
        return '';
      }
      // A draft belongs to the signed-in visitor; another user's draft is not shown.
      return writer === '' || writer === visitor ? text : '';
    },
  };
}
