import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/**
 * The SHA-256 hash of a user id: what is kept of it in the browser. `scope` goes into the hash before the id, so that
 * one id has another hash at every proxy and connector. By a library and not by `crypto.subtle`, which pages without
 * encryption do not have, and which answers late: the conversation of another user has to be gone at once.
 */
export const hashUserId = (scope: string, userId: string): string =>
  `sha256:${bytesToHex(sha256(utf8ToBytes(`${scope}\n${userId}`)))}`;
