import { sha256 } from '@noble/hashes/sha2.js';

/**
 * The SHA-256 hash of a user id: what is kept of it in the browser. `scope` goes into the hash before the id, so that
 * one id has another hash at every proxy and connector. By a library and not by `crypto.subtle`, which pages without
 * encryption do not have, and which answers late: the conversation of another user has to be gone at once.
 */
export function hashUserId(scope: string, userId: string): string {
  const hash = sha256(new TextEncoder().encode(`${scope}\n${userId}`));
  return `sha256:${Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
