import { retryImport } from '../retry-import.ts';

/**
 * Makes the SHA-256 hash of a user id, which is what the browser keeps of it. `scope` goes into the hash before the id, so
 * that one id has another hash at every proxy and connector. Rejects where a library is needed and cannot be loaded.
 */
export async function hashUserId(scope: string, userId: string): Promise<string> {
  const bytes = new TextEncoder().encode(`${scope}\n${userId}`);
  const digest = await digestOf(bytes);
  return `sha256:${[...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

async function digestOf(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  if (crypto.subtle) return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  // Pages without encryption do not have it.
  const { sha256 } = await retryImport(() => import('./sha256.ts'));
  return sha256(bytes);
}
