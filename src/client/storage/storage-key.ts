const BASE = 257n;
const MODULUS = 2n ** 61n - 1n;

/**
 * Key of a stored conversation, so that widgets with different proxies or connectors on one page do not mix. A
 * polynomial hash instead of cryptography, which unencrypted pages lack, because it is not a secret. Source: ST-3.
 */
export function storageKey(endpoint: string, connector: string): string {
  let hash = 0n;
  for (const byte of new TextEncoder().encode(`${endpoint}\n${connector}`)) {
    hash = (hash * BASE + BigInt(byte)) % MODULUS;
  }
  return `natter:${hash}`;
}

/** Key of the copies of past conversations; `name` is the `storageKey`. */
export const pastKey = (name: string): string => `${name}:past`;

/** Key of a tab's composer text. */
export const typedTextKey = (name: string): string => name.replace(':', '-typed:');

/** Key in `sessionStorage` of a value not yet stored under `name`. */
export const unsavedKey = (name: string): string => name.replace(':', '-unsaved:');
