import { randomBytes } from 'node:crypto';

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A new ULID: 48 bits of time, 80 random bits, in Crockford's base 32. */
function createUlid(nowMs: number): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(nowMs, 0, 6);
  randomBytes(10).copy(bytes, 6);
  let value = BigInt(`0x${bytes.toString('hex')}`);
  let text = '';
  for (let index = 0; index < 26; index++) {
    text = `${CROCKFORD[Number(value & 31n)]}${text}`;
    value >>= 5n;
  }
  return text;
}

/** A new conversation id. Source: `rest.md`, CH-2. */
export function createConversationId(nowMs: number): string {
  return `CONV-${createUlid(nowMs)}`;
}
