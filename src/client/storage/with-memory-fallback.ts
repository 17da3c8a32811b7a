import type { StoragePort } from '../ports.ts';

function createMemoryStorage(): StoragePort {
  const values = new Map<string, unknown>();
  return {
    get: async (key) => values.get(key),
    set: async (key, value) => void values.set(key, value),
    delete: async (key) => void values.delete(key),
  };
}

/**
 * Storage that never rejects: from the first fault on it works from memory, which knows everything written
 * so far. A chat with blocked storage is forgotten at the next reload, and works until then.
 *
 * @example
 * const storage = withMemoryFallback(createIdbStorage());
 */
export function withMemoryFallback(storage: StoragePort): StoragePort {
  const memory = createMemoryStorage();
  let current = storage;
  const use = async <Result>(act: (chosen: StoragePort) => Promise<Result>): Promise<Result> => {
    try {
      return await act(current);
    } catch {
      // Private windows, blocked cookies and full disks all end here; the memory copy takes over.
      current = memory;
      return act(memory);
    }
  };
  return {
    get: (key) => use((chosen) => chosen.get(key)),
    async set(key, value) {
      await memory.set(key, value);
      await use((chosen) => chosen.set(key, value));
    },
    async delete(key) {
      await memory.delete(key);
      await use((chosen) => chosen.delete(key));
    },
  };
}
