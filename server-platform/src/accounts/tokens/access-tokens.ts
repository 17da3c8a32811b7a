import { createHash, randomUUID, webcrypto } from 'node:crypto';
import { errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify, SignJWT } from 'jose';

/** What a valid access token says. Source: TOK-5. */
export interface AccessTokenClaims {
  /** The user identity (`sub`), a random UUID. */
  readonly identity: string;
  /** Connector id (`cid`). */
  readonly connectorId: string;
  /** The registered host that matched (`host`). */
  readonly host: string;
  readonly expiresAtMs: number;
}

/** Mints and checks access tokens. */
export interface AccessTokens {
  /** A token for a new user identity. Source: TOK-3. */
  mint(grant: {
    readonly connectorId: string;
    readonly host: string;
  }): Promise<{ readonly token: string; readonly expiresInSeconds: number; readonly identity: string }>;
  /** The claims of a token that is ours, intact and not expired; null for every other. Never throws for a bad token. */
  verify(token: string): Promise<AccessTokenClaims | null>;
  /** Whether a token that was not accepted was minted here once: one that has expired is no guess. */
  isExpired(token: string): Promise<boolean>;
  /** Counts every token that was minted before the current second as expired. For tests and demonstrations. */
  expireAll(): void;
}

type HmacKey = webcrypto.CryptoKey;

// A token is under 600 bytes; nothing longer is worth a hash.
const LONGEST_TOKEN = 4096;

/**
 * Makes the token service: JWT, HS256, keys imported once. The first secret signs, all of them verify, so that a secret
 * is rotated by putting the new one in front and taking the old one away after one lifetime.
 *
 * @example
 * const tokens = await createAccessTokens({ secrets: [secret], issuer: 'natter', now: Date.now });
 * const { token } = await tokens.mint({ connectorId, host: 'example.com' });
 */
export async function createAccessTokens(options: {
  readonly secrets: readonly Uint8Array[];
  readonly issuer: string;
  readonly now: () => number;
  /** Default 86400. */
  readonly lifetimeSeconds?: number;
}): Promise<AccessTokens> {
  const { issuer, now, lifetimeSeconds = 86_400 } = options;
  const keys = await importKeys(options.secrets);
  const settings: TokenSettings = { ...keys, issuer, now, lifetimeSeconds };
  let oldestSeconds = 0;
  return {
    mint: (grant) => mintToken(settings, grant),

    async verify(token) {
      if (!isCompact(token)) return null;
      try {
        const payload = await readPayload(settings, token);
        return (payload.iat ?? 0) < oldestSeconds ? null : readClaims(payload);
      } catch {
        // Every way in which a foreign string can fail to be our token has the same answer (3.4 row 3, WS-2 row 2).
        return null;
      }
    },

    async isExpired(token) {
      if (!isCompact(token)) return false;
      try {
        const payload = await readPayload(settings, token);
        return (payload.iat ?? 0) < oldestSeconds;
      } catch (error) {
        // The signature is checked before the times are.
        return error instanceof errors.JWTExpired;
      }
    },

    expireAll() {
      oldestSeconds = Math.floor(now() / 1000);
    },
  };
}

interface TokenKeys {
  /** All keys, by id. */
  readonly keys: ReadonlyMap<string, HmacKey>;
  readonly signingId: string;
  readonly signingKey: HmacKey;
}

interface TokenSettings extends TokenKeys {
  readonly issuer: string;
  readonly now: () => number;
  readonly lifetimeSeconds: number;
}

async function importKeys(secrets: readonly Uint8Array[]): Promise<TokenKeys> {
  const keys = new Map<string, HmacKey>();
  for (const secret of secrets) keys.set(keyId(secret), await importKey(secret));
  const [signing] = keys;
  if (signing === undefined) throw new Error('No token secret is configured; give at least one.');
  const [signingId, signingKey] = signing;
  return { keys, signingId, signingKey };
}

async function mintToken(
  { issuer, now, lifetimeSeconds, signingId, signingKey }: TokenSettings,
  { connectorId, host }: Parameters<AccessTokens['mint']>[0],
): ReturnType<AccessTokens['mint']> {
  const identity = randomUUID();
  const issuedAt = Math.floor(now() / 1000);
  const token = await new SignJWT({ cid: connectorId, host })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT', kid: signingId })
    .setSubject(identity)
    .setIssuer(issuer)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + lifetimeSeconds)
    .setJti(randomUUID())
    .sign(signingKey);
  return { token, expiresInSeconds: lifetimeSeconds, identity };
}

/** Returns the payload of a token that is ours, intact and not past `exp`, to the second (TOK-5). Throws for every other. */
async function readPayload({ keys, issuer, now }: TokenSettings, token: string): Promise<JWTPayload> {
  const findKey: JWTVerifyGetKey = ({ kid }) => {
    const key = kid === undefined ? undefined : keys.get(kid);
    if (key === undefined) throw new Error('unknown key id');
    return key;
  };
  const { payload } = await jwtVerify(token, findKey, {
    algorithms: ['HS256'],
    issuer,
    requiredClaims: ['sub', 'cid', 'host', 'iat', 'exp', 'jti'],
    currentDate: new Date(now()),
  });
  return payload;
}

/** Null when a claim has another type than ours have. */
function readClaims({ sub, exp, cid, host }: JWTPayload): AccessTokenClaims | null {
  if (typeof sub !== 'string' || typeof exp !== 'number') return null;
  if (typeof cid !== 'string' || typeof host !== 'string') return null;
  return { identity: sub, connectorId: cid, host, expiresAtMs: exp * 1000 };
}

/** Whether a text can be a token. A signature has one spelling: base64url would be read with padding and other spare bits. */
function isCompact(token: string): boolean {
  if (token.length > LONGEST_TOKEN) return false;
  const signature = token.slice(token.lastIndexOf('.') + 1);
  return Buffer.from(signature, 'base64url').toString('base64url') === signature;
}

function importKey(secret: Uint8Array): Promise<HmacKey> {
  return webcrypto.subtle.importKey('raw', new Uint8Array(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
    'verify',
  ]);
}

/** A name for a secret that says nothing about it. */
function keyId(secret: Uint8Array): string {
  return createHash('sha256')
    .update('natter access token key\n')
    .update(secret)
    .digest('base64url')
    .slice(0, 12);
}
