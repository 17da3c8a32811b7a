import { base64url } from 'jose';

const KEY_BYTES = 32;

/** Creates a ticket key: 32 random bytes in base64url, for `ticketKeys` and `NATTER_TICKET_KEYS`. */
export function createTicketKey(): string {
  return base64url.encode(crypto.getRandomValues(new Uint8Array(KEY_BYTES)));
}

/** Whether the text is a usable key: base64url of 32 bytes that are not all the same. */
export function isTicketKey(text: string): boolean {
  if (!/^[A-Za-z0-9_-]{43}$/.test(text)) return false;
  const bytes = base64url.decode(text);
  return bytes.byteLength === KEY_BYTES && bytes.some((byte) => byte !== bytes[0]);
}
