import { retryImport } from '../retry-import.ts';

/**
 * Computes the SHA-256 hash of a user id; only the hash is stored in the browser. `scope` precedes the id, so that an
 * id has different hashes at different proxies and connectors. Rejects if a required library cannot be loaded.
 */
export async function hashUserId(scope: string, userId: string): Promise<string> {
  const bytes = new TextEncoder().encode(`${scope}\n${userId}`);
  const digest = await digestOf(bytes);
  return `sha256:${[...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

async function digestOf(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  if (crypto.subtle) return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  // Unencrypted pages lack it.
  const { sha256 } = await retryImport(() => import('./sha256.ts'));
  return sha256(bytes);
}
