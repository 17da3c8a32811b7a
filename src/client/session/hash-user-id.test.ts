import { createHash } from 'node:crypto';
import { afterEach, expect, it, vi } from 'vitest';
import { hashUserId } from './hash-user-id.ts';

afterEach(() => void vi.unstubAllGlobals());

const EXPECTED = `sha256:${createHash('sha256').update('https://chat.example\nana@example.com').digest('hex')}`;

it('computes the SHA-256 hash of the user id and its scope', async () => {
  expect(await hashUserId('https://chat.example', 'ana@example.com')).toBe(EXPECTED);
  expect(await hashUserId('https://other.example', 'ana@example.com')).not.toBe(EXPECTED);
});

it('computes the same hash on an unencrypted page, which lacks crypto.subtle', async () => {
  const { crypto } = globalThis;
  vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) });
  expect(await hashUserId('https://chat.example', 'ana@example.com')).toBe(EXPECTED);
});
