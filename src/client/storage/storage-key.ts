const FNV_OFFSET = 0xcbf29ce484222325n;
const FNV_PRIME = 0x100000001b3n;

/**
 * Where a conversation is kept: two widgets with different proxies or connectors on one page do not mix.
 * 64-bit FNV-1a; not a secret, so no cryptography, which insecure pages would not have. Source: ST-3.
 */
export function storageKey(endpoint: string, connector: string): string {
  let hash = FNV_OFFSET;
  for (const letter of `${endpoint}\n${connector}`) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(letter.codePointAt(0) ?? 0)) * FNV_PRIME);
  }
  return `natter:${hash.toString(16).padStart(16, '0')}`;
}
