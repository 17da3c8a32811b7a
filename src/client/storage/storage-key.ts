const BASE = 257n;
const MODULUS = 2n ** 61n - 1n;

/**
 * Where a conversation is kept: two widgets with different proxies or connectors on one page do not mix.
 * A polynomial hash; not a secret, so no cryptography, which insecure pages would not have. Source: ST-3.
 */
export function storageKey(endpoint: string, connector: string): string {
  let hash = 0n;
  for (const byte of new TextEncoder().encode(`${endpoint}\n${connector}`)) {
    hash = (hash * BASE + BigInt(byte)) % MODULUS;
  }
  return `natter:${hash}`;
}

/** Where ended and resumable conversations are kept for reading; `name` is the `storageKey`. */
export const pastKey = (name: string): string => `${name}:past`;

/** Where a tab keeps the words in its composer. */
export const typedTextKey = (name: string): string => name.replace(':', '-typed:');

/** Key in `sessionStorage` of the value that is not stored under `name` yet. */
export const unsavedKey = (name: string): string => name.replace(':', '-unsaved:');
