import type { TabStoragePort } from '../ports.ts';
import { isFresh, type StoredConversation } from './stored-conversation.ts';

/** The words in the composer, for the next page of the tab. */
export interface TypedText {
  /** Stores them, in place of those before; an empty text removes them. */
  save(text: string): void;
  /** Returns the stored text; empty if there is none. */
  peek(): string;
  /** Returns the words that an earlier page of the tab left for this visitor; empty for none. */
  read(stored: StoredConversation | null, owner: string): string;
}

export interface TypedTextOptions {
  /** Gives null where nothing is kept. */
  readonly storage: () => TabStoragePort | null;
  readonly key: string;
  /** Hash of the visitor's user; empty without one. */
  readonly owner: () => string;
  /** The words belong to a conversation that a reload comes back to. They are gone when it is. */
  readonly isOfConversation: () => boolean;
  readonly now: () => number;
}

/** Whether it is of a conversation, the hash of the user, and the words. A hash has no space. */
const FORMAT = /^(chat|none) (\S*) ([\s\S]+)$/;

export function createTypedText({ storage, key, owner, isOfConversation, now }: TypedTextOptions): TypedText {
  const attempt = <Value>(use: (tab: TabStoragePort) => Value): Value | null => {
    try {
      const tab = storage();
      return tab && use(tab);
    } catch {
      // Blocked or full: the words live as long as the page.
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
