import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Person } from './people.ts';

const DEVICE_MS = 180 * 24 * 3_600_000;
const COOKIE = '__Host-natter-device';
const FORM = /^([\w-]{22})\.([\w-]{43})$/;

/** Returns a `Set-Cookie` header that marks a browser as known to the person until their password changes. */
export function writeDeviceCookie(person: Pick<Person, 'id' | 'passwordHash'>): string {
  const device = randomBytes(16).toString('base64url');
  const value = `${device}.${sign(device, person).toString('base64url')}`;
  return `${COOKIE}=${value}; Path=/; Max-Age=${DEVICE_MS / 1_000}; Secure; HttpOnly; SameSite=Strict`;
}

/** The id of a browser that has signed the person in before; null: an unknown one. */
export function readKnownDevice(
  cookies: string | null,
  person: Pick<Person, 'id' | 'passwordHash'>,
): string | null {
  for (const part of (cookies ?? '').split(';')) {
    const [name, value = ''] = part.trim().split('=', 2);
    const [, device, signature] = (name === COOKIE && FORM.exec(value)) || [];
    if (device === undefined || signature === undefined) continue;
    const received = Buffer.from(signature, 'base64url');
    const expected = sign(device, person);
    if (received.length === expected.length && timingSafeEqual(received, expected)) return device;
  }
  return null;
}

// The stored hash is a secret with a random salt, and changes with every new password.
function sign(device: string, { id, passwordHash }: Pick<Person, 'id' | 'passwordHash'>): Buffer {
  return createHmac('sha256', passwordHash).update(`natter desk device ${id} ${device}`).digest();
}
