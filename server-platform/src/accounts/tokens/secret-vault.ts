import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { deriveSecret } from './derive-secret.ts';

/** Encrypts secrets that must be used again, so that the database alone does not reveal them. */
export interface SecretVault {
  /** Seals a secret for one `owner`, such as the id of its row: sealed text of another owner does not open. */
  seal(secret: string, owner: string): string;
  /** Decrypts a secret. Throws if it belongs to another owner, was changed, or its key was removed. */
  open(sealed: string, owner: string): string;
}

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = 'v1';

/**
 * A vault under the platform's secrets: the first seals, all of them open, so that a secret can be replaced without
 * losing values sealed under the previous one.
 *
 * @example
 * const vault = createSecretVault([tokenSecret]);
 * vault.open(vault.seal('whs_…', 'whe_1'), 'whe_1'); // 'whs_…'
 */
export function createSecretVault(platformSecrets: readonly Uint8Array[]): SecretVault {
  const keys = platformSecrets.map((secret) => deriveSecret(secret, 'storedSecrets'));
  const [first] = keys;
  if (first === undefined) throw new TypeError('A vault needs at least one secret.');
  return {
    seal(secret, owner) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, first, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(Buffer.from(owner));
      const sealed = Buffer.concat([
        nonce,
        cipher.update(secret, 'utf8'),
        cipher.final(),
        cipher.getAuthTag(),
      ]);
      return `${VERSION}.${sealed.toString('base64url')}`;
    },
    open(sealed, owner) {
      const [version, text = ''] = sealed.split('.');
      const bytes = Buffer.from(text, 'base64url');
      if (version === VERSION && bytes.length >= NONCE_BYTES + TAG_BYTES) {
        for (const key of keys) {
          const secret = tryOpen(key, bytes, owner);
          if (secret !== null) return secret;
        }
      }
      throw new Error(
        'Cannot decrypt a stored secret. Restore the token secret that encrypted it, or replace the stored secret.',
      );
    },
  };
}

function tryOpen(key: Uint8Array, bytes: Buffer, owner: string): string | null {
  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(Buffer.from(owner));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  const start = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
  try {
    return Buffer.concat([start, decipher.final()]).toString('utf8');
  } catch {
    // The tag does not match: another key, another owner, or changed bytes.
    return null;
  }
}
