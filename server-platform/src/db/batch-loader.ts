import { isDatabaseError } from './database-error.ts';

/** Options of a batch loader. */
export type BatchLoaderOptions<Key, Value> = {
  /** Reads the values of all keys, in their order, with one statement. */
  readonly read: (keys: readonly Key[]) => Promise<readonly Value[]>;
  /** Maximum number of keys per statement. */
  readonly maxKeys: number;
};

type Waiting<Key, Value> = {
  readonly key: Key;
  readonly resolve: (value: Value) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * Collects reads while one is in flight and runs them with the next statement, so that thousands of concurrent reads
 * (every client of a restarted node) cost a few statements. There is no timer: a single read runs at once. No result is
 * older than its request.
 */
export class BatchLoader<Key, Value> {
  readonly #options: BatchLoaderOptions<Key, Value>;
  #waiting: Waiting<Key, Value>[] = [];
  #isRunning = false;

  constructor(options: BatchLoaderOptions<Key, Value>) {
    this.#options = options;
  }

  /**
   * Returns the value of one key. After a failed shared statement, each key is read separately, so that one bad row
   * fails alone.
   */
  get(key: Key): Promise<Value> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ key, resolve, reject });
      if (!this.#isRunning) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    // Lets other calls of this tick join the first statement.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0, this.#options.maxKeys);
      try {
        const values = await this.#options.read(group.map(({ key }) => key));
        if (values.length !== group.length)
          throw new Error('A batch of reads returned another number of values than keys.');
        // One value per key.
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

// An unavailable database would not answer for a single key either.
function isOneKeysFault(error: unknown): boolean {
  return !isDatabaseError(error) || !['unavailable', 'overloaded', 'closed'].includes(error.code);
}
