import { hkdfSync } from 'node:crypto';

/**
 * The HKDF labels by purpose. Each purpose has its own key, so a leaked key reveals nothing about
 * the others. A label must not change: signed and sealed values under it would no longer be accepted.
 */
const LABELS = {
  /** Signs access tokens. Source: TOK-5. */
  accessTokens: 'natter access tokens',
  /** Encrypts secrets in the database, such as webhook signing secrets. */
  storedSecrets: 'natter: stored secrets',
  /** Signs the addresses of audio files. */
  audioAddresses: 'natter audio addresses',
  /** Names the channel between the nodes of this deployment. */
  bus: 'natter bus',
} as const;

/** A use of the token secret. */
export type SecretPurpose = keyof typeof LABELS;

const KEY_BYTES = 32;

/** Derives the 32-byte key of one purpose from the token secret (HKDF with SHA-256, RFC 5869). */
export function deriveSecret(tokenSecret: Uint8Array, purpose: SecretPurpose): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', tokenSecret, '', LABELS[purpose], KEY_BYTES));
}
