const FNV_PRIME = 0x01000193;

/** 32-bit FNV-1a, from a given offset. */
function fnv1a(text: string, offset: number): string {
  let hash = offset;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), FNV_PRIME);
  }
  return (hash >>> 0).toString(16).padStart(8, '0');
}

/**
 * Where a conversation is kept: two widgets with different proxies or connectors on one page do not mix.
 * Not a secret, so no cryptography, which insecure pages would not have. Source: ST-3.
 */
export function storageKey(endpoint: string, connector: string): string {
  const text = `${endpoint}\n${connector}`;
  return `natter:${fnv1a(text, 0x811c9dc5)}${fnv1a(text, 0x9dc5811c)}`;
}
