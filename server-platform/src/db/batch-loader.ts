import { isDatabaseError } from './database-error.ts';

/** What a group of reads is made of. */
export type BatchLoaderOptions<Key, Value> = {
  /** Reads the values of all keys, in their order, with one statement. */
  readonly read: (keys: readonly Key[]) => Promise<readonly Value[]>;
  /** Most keys of one statement. */
  readonly maxKeys: number;
};

type Waiting<Key, Value> = {
  readonly key: Key;
  readonly resolve: (value: Value) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * Collects reads while one is under way and does them with the next statement, so that thousands that come at once (every
 * client of a node that was restarted) cost a few statements each a fraction of which is theirs. There is no timer: a read
 * that comes alone goes out at once. No read is answered from before it was asked for.
 */
export class BatchLoader<Key, Value> {
  readonly #options: BatchLoaderOptions<Key, Value>;
  #waiting: Waiting<Key, Value>[] = [];
  #isRunning = false;

  constructor(options: BatchLoaderOptions<Key, Value>) {
    this.#options = options;
  }

  /** The value of one key. A shared statement that failed is repeated for each key, so that one bad row fails alone. */
  get(key: Key): Promise<Value> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ key, resolve, reject });
      if (!this.#isRunning) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    // Lets the calls of the same tick share the first statement.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0, this.#options.maxKeys);
      try {
        const values = await this.#options.read(group.map(({ key }) => key));
        if (values.length !== group.length)
          throw new Error('A group of reads brought another number of values than keys.');
        // As many as there are keys.
        for (const [index, { resolve }] of group.entries()) resolve(values[index] as Value);
      } catch (error) {
        if (group.length > 1 && isOneKeysFault(error)) await this.#readOneByOne(group);
        else for (const { reject } of group) reject(error);
      }
    }
    this.#isRunning = false;
  }

  async #readOneByOne(group: readonly Waiting<Key, Value>[]): Promise<void> {
    for (const { key, resolve, reject } of group) {
      try {
        const [value] = await this.#options.read([key]);
        resolve(value as Value);
      } catch (error) {
        reject(error);
      }
    }
  }
}

// A database that does not answer will not answer for one key either.
function isOneKeysFault(error: unknown): boolean {
  return !isDatabaseError(error) || !['unavailable', 'overloaded', 'closed'].includes(error.code);
}
