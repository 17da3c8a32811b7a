import { base64url, type CryptoKey, EncryptJWT, errors, type JWTPayload, jwtDecrypt } from 'jose';

/** Encrypts values that only this proxy, and its replicas with the same keys, can decrypt. */
export interface SealedBox {
  /** A compact JWE that opens for `lifetimeSeconds`. */
  seal(claims: JWTPayload, lifetimeSeconds: number): Promise<string>;
  /** Returns the decrypted value; null if it is foreign, was changed or has expired. */
  open(sealed: string): Promise<Readonly<Record<string, unknown>> | null>;
}

interface SealedBoxOptions {
  /** base64url, 32 bytes each; the first encrypts, all decrypt. */
  readonly keys: readonly string[];
  /** Purpose of the text: one encrypted for another purpose is not accepted. */
  readonly audience: string;
  readonly nowMs: () => number;
}

interface BoxKey {
  readonly id: string;
  readonly key: CryptoKey;
}

const ALGORITHM = 'dir';
const ENCRYPTION = 'A256GCM';
const ISSUER = 'natter-token-proxy';

async function importKey(text: string): Promise<BoxKey> {
  const bytes = Uint8Array.from(base64url.decode(text));
  const key = await crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt']);
  // Identifies the key without revealing it: a digest of 256 random bits cannot be inverted.
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return { id: base64url.encode(digest.subarray(0, 8)), key };
}

/**
 * Encrypts as JWE, `dir` with A256GCM, with fixed issuer and audience.
 *
 * Keys are imported once, on first use. To rotate, put a new key first, and keep the old one behind it for as long as
 * its encrypted values are valid.
 */
export function createSealedBox({ keys, audience, nowMs }: SealedBoxOptions): SealedBox {
  let importing: Promise<readonly BoxKey[]> | null = null;
  const importKeys = (): Promise<readonly BoxKey[]> => {
    importing ??= Promise.all(keys.map(importKey));
    return importing;
  };

  return {
    async seal(claims, lifetimeSeconds) {
      const [first] = await importKeys();
      if (first === undefined) throw new Error('No ticket key is configured.');
      const issuedAt = Math.floor(nowMs() / 1_000);
      return new EncryptJWT(claims)
        .setProtectedHeader({ alg: ALGORITHM, enc: ENCRYPTION, kid: first.id })
        .setIssuer(ISSUER)
        .setAudience(audience)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + lifetimeSeconds)
        .encrypt(first.key);
    },

    async open(sealed) {
      const imported = await importKeys();
      try {
        const opened = await jwtDecrypt(
          sealed,
          (header) => {
            const match = imported.find((candidate) => candidate.id === header.kid);
            if (match === undefined) throw new errors.JWEDecryptionFailed('unknown key');
            return match.key;
          },
          {
            issuer: ISSUER,
            audience,
            keyManagementAlgorithms: [ALGORITHM],
            contentEncryptionAlgorithms: [ENCRYPTION],
            requiredClaims: ['iat', 'exp'],
            currentDate: new Date(nowMs()),
          },
        );
        return opened.payload;
      } catch (error) {
        if (error instanceof errors.JOSEError) return null;
        throw error;
      }
    },
  };
}
