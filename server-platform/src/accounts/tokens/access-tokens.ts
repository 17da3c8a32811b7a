import { createHash, randomUUID, webcrypto } from 'node:crypto';
import { errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify, SignJWT } from 'jose';

/** The content of a valid access token. Source: TOK-5. */
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
  /** Mints a token for a new user identity. Source: TOK-3. */
  mint(grant: {
    readonly connectorId: string;
    readonly host: string;
  }): Promise<{ readonly token: string; readonly expiresInSeconds: number; readonly identity: string }>;
  /**
   * Returns the claims of an intact, unexpired token of this platform; null for any other. Never throws for a bad
   * token.
   */
  verify(token: string): Promise<AccessTokenClaims | null>;
  /** Whether a rejected token was minted here but has expired, so that it is not counted as a guess. */
  isExpired(token: string): Promise<boolean>;
  /** Expires every token minted before the current second. For tests and demonstrations. */
  expireAll(): void;
}

type HmacKey = webcrypto.CryptoKey;

// A token is under 600 bytes; longer texts are not hashed.
const LONGEST_TOKEN = 4096;

/**
 * Makes the token service: JWT, HS256, keys imported once. The first secret signs, all of them verify. To rotate a
 * secret, put the new one first, and remove the old one after one token lifetime.
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
        // All ways in which a foreign string can be invalid get the same response (3.4 row 3, WS-2 row 2).
        return null;
      }
    },

    async isExpired(token) {
      if (!isCompact(token)) return false;
      try {
        const payload = await readPayload(settings, token);
        return (payload.iat ?? 0) < oldestSeconds;
      } catch (error) {
        // The signature is checked before the times, so an expired token is genuine.
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

/**
 * Returns the payload of an intact token of this platform before its `exp`, to the second (TOK-5). Throws for any
 * other.
 */
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

/** Null when a claim has an unexpected type. */
function readClaims({ sub, exp, cid, host }: JWTPayload): AccessTokenClaims | null {
  if (typeof sub !== 'string' || typeof exp !== 'number') return null;
  if (typeof cid !== 'string' || typeof host !== 'string') return null;
  return { identity: sub, connectorId: cid, host, expiresAtMs: exp * 1000 };
}

/**
 * Whether a text can be a token. Only one spelling of a signature is accepted, although base64url decoders accept
 * padding and spare bits.
 */
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

/** Identifies a secret without revealing it. */
function keyId(secret: Uint8Array): string {
  return createHash('sha256')
    .update('natter access token key\n')
    .update(secret)
    .digest('base64url')
    .slice(0, 12);
}
