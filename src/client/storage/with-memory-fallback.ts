import type { StoragePort } from '../ports.ts';

/**
 * Storage that never rejects: from the first fault on it works from memory, which knows everything written
 * so far. A chat with blocked storage is forgotten at the next reload, and works until then.
 *
 * @example
 * const storage = withMemoryFallback(createIdbStorage());
 */
export function withMemoryFallback(storage: StoragePort): StoragePort {
  const memory = new Map<string, unknown>();
  let isBroken = false;
  const tryStorage = async <Result>(use: () => Promise<Result>, fallback: () => Result): Promise<Result> => {
    if (isBroken) return fallback();
    try {
      return await use();
    } catch {
      // Private windows, blocked cookies and full disks all end here; the memory copy takes over.
      isBroken = true;
      return fallback();
    }
  };
  return {
    get: (key) =>
      tryStorage(
        () => storage.get(key),
        () => memory.get(key),
      ),
    set: (key, value) => {
      memory.set(key, value);
      return tryStorage(
        () => storage.set(key, value),
        () => undefined,
      );
    },
    delete: (key) => {
      memory.delete(key);
      return tryStorage(
        () => storage.delete(key),
        () => undefined,
      );
    },
  };
}
