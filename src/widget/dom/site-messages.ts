/** Prefix of the storage keys of proactive messages. */
export const SITE_MESSAGES_KEY = 'natter-proactive';

/**
 * Returns the storages that hold such entries; none where the browser forbids storage, because naming them throws
 * there.
 */
function findStorages(): readonly Storage[] {
  try {
    return [localStorage, sessionStorage];
  } catch {
    return [];
  }
}

const namesIn = (storage: Storage): readonly string[] =>
  Object.keys(storage).filter((name) => name.startsWith(SITE_MESSAGES_KEY));

/** Returns the stored entries about proactive messages, by key. */
export function readSiteMessages(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    findStorages().flatMap((storage) => namesIn(storage).map((name) => [name, storage.getItem(name) ?? ''])),
  );
}

/** Removes these entries. */
export function forgetSiteMessages(): void {
  for (const storage of findStorages()) for (const name of namesIn(storage)) storage.removeItem(name);
}
