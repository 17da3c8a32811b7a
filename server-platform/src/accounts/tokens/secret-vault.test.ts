import { describe, expect, it } from 'vitest';
import { createSecretVault } from './secret-vault.ts';

const secret = (letter: string): Uint8Array => new TextEncoder().encode(letter.repeat(32));

describe('the vault of secrets', () => {
  it('returns a stored secret, and reveals nothing of it in the stored form', () => {
    const vault = createSecretVault([secret('a')]);
    const sealed = vault.seal('whs_secret', 'whe_1');
    expect(vault.open(sealed, 'whe_1')).toBe('whs_secret');
    expect(sealed).not.toContain('whs_');
    expect(Buffer.from(sealed.slice(3), 'base64url').toString('latin1')).not.toContain('whs_secret');
  });

  it('encrypts the same secret differently every time', () => {
    const vault = createSecretVault([secret('a')]);
    expect(vault.seal('whs_secret', 'whe_1')).not.toBe(vault.seal('whs_secret', 'whe_1'));
  });

  it('decrypts secrets stored under an earlier key that is still configured', () => {
    const sealed = createSecretVault([secret('a')]).seal('whs_secret', 'whe_1');
    expect(createSecretVault([secret('b'), secret('a')]).open(sealed, 'whe_1')).toBe('whs_secret');
  });

  it.each<[string, string, string, (sealed: string) => string]>([
    ['another key', 'b', 'whe_1', (sealed) => sealed],
    ['another owner', 'a', 'whe_2', (sealed) => sealed],
    [
      'a changed text',
      'a',
      'whe_1',
      (sealed) => `${sealed.slice(0, 10)}${sealed[10] === 'A' ? 'B' : 'A'}${sealed.slice(11)}`,
    ],
    ['a cut text', 'a', 'whe_1', (sealed) => sealed.slice(0, 12)],
    ['another version', 'a', 'whe_1', (sealed) => `v2${sealed.slice(2)}`],
  ])('refuses to decrypt a secret with %s', (_, key, owner, change) => {
    const sealed = createSecretVault([secret('a')]).seal('whs_secret', 'whe_1');
    expect(() => createSecretVault([secret(key)]).open(change(sealed), owner)).toThrow('Cannot decrypt');
  });
});
