import type { StoragePort } from '../ports.ts';
import { decodeStoredConversation, type StoredConversation } from './stored-conversation.ts';

/** The one stored value of a client. Writes are put together: while one is under way only the newest waits. */
export class ConversationRecord {
  readonly #storage: StoragePort;
  readonly #key: string;
  #next: { readonly value: StoredConversation | null } | null = null;
  #writing: Promise<void> | null = null;

  constructor(storage: StoragePort, key: string) {
    this.#storage = storage;
    this.#key = key;
  }

  /** What an earlier page left; null for nothing. */
  async load(): Promise<StoredConversation | null> {
    await this.#writing;
    return decodeStoredConversation(await this.#storage.get(this.#key));
  }

  save(value: StoredConversation): void {
    this.#write(value);
  }

  clear(): void {
    this.#write(null);
  }

  #write(value: StoredConversation | null): void {
    this.#next = { value };
    this.#writing ??= this.#drain();
  }

  async #drain(): Promise<void> {
    for (let next = this.#next; next; next = this.#next) {
      this.#next = null;
      await (next.value ? this.#storage.set(this.#key, next.value) : this.#storage.delete(this.#key));
    }
    this.#writing = null;
  }
}
