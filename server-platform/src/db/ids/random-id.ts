import { randomInt } from 'node:crypto';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
// 131 bits, more than a UUID has.
const LENGTH = 22;

/** A new id: the prefix, an underscore and 22 random letters and digits, such as `ar_7Kq2mZp9Xw4Lr8Tn3Vb5Hc`. */
export function newRandomId(prefix: 'ar' | 'whe'): string {
  const characters = Array.from({ length: LENGTH }, () => BASE62[randomInt(BASE62.length)]);
  return `${prefix}_${characters.join('')}`;
}
