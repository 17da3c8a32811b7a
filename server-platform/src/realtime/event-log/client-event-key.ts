import { createHash } from 'node:crypto';

// A key goes into a text column under an index: PostgreSQL's text cannot hold U+0000 or lone surrogates, and an index
// entry is at most 2.7 kB. Both are legal in a client's id (MET-2 allows 1,024 bytes of anything), so an id that is not a
// short printable string is stored as its hash.
const PLAIN = /^(?!sha256:)[\x20-\x7e]{1,128}$/;

/** The stored and compared form of a client's draft id (ECH-4). */
export function clientEventKey(clientEventId: string): string {
  if (PLAIN.test(clientEventId)) return clientEventId;
  // UTF-16LE rather than UTF-8: UTF-8 would turn every lone surrogate into the same replacement character.
  return `sha256:${createHash('sha256').update(clientEventId, 'utf16le').digest('hex')}`;
}
