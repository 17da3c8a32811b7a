/** Begins the names of what the browser keeps about proactive messages. */
export const SITE_MESSAGES_KEY = 'natter-proactive';

/** The storages that hold such entries; none where the browser forbids storage, because naming them throws there. */
function findStorages(): readonly Storage[] {
  try {
    return [localStorage, sessionStorage];
  } catch {
    return [];
  }
}

const namesIn = (storage: Storage): readonly string[] =>
  Object.keys(storage).filter((name) => name.startsWith(SITE_MESSAGES_KEY));

/** What this browser keeps about proactive messages, by name. */
export function readSiteMessages(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    findStorages().flatMap((storage) => namesIn(storage).map((name) => [name, storage.getItem(name) ?? ''])),
  );
}

/** Removes it. */
export function forgetSiteMessages(): void {
  for (const storage of findStorages()) for (const name of namesIn(storage)) storage.removeItem(name);
}
