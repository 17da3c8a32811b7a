import { base64url, type CryptoKey, EncryptJWT, errors, jwtDecrypt } from 'jose';
import { hasTokenExpired, isUsableAccessToken } from './access-token.ts';

/** What a ticket keeps for its holder. */
export interface TicketContents {
  readonly sessionId: string;
  readonly accessToken: string;
  readonly expiresAtMs: number;
  readonly websocketUrl: string;
  readonly connector: string;
}

/** Seals and opens resume tickets. Source: ST-3. */
export interface TicketOffice {
  /** Makes a ticket for the page at `origin` (null: a caller without one). */
  seal(contents: TicketContents, origin: string | null): Promise<string>;
  /** What is in the ticket, or null for every ticket that is not ours, not theirs, too old or holds a token that has expired. */
  open(ticket: string, origin: string | null): Promise<TicketContents | null>;
}

interface TicketOfficeOptions {
  /** base64url, 32 bytes each; the first seals, all open. */
  readonly keys: readonly string[];
  readonly lifetimeSeconds: number;
  readonly nowMs: () => number;
}

interface TicketKey {
  readonly id: string;
  readonly key: CryptoKey;
}

const ALGORITHM = 'dir';
const ENCRYPTION = 'A256GCM';
const ISSUER = 'natter-token-proxy';
const AUDIENCE = 'natter-resume';

async function importKey(text: string): Promise<TicketKey> {
  const bytes = Uint8Array.from(base64url.decode(text));
  const key = await crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt']);
  // Names the key without showing it: a digest of 256 random bits cannot be turned back.
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return { id: base64url.encode(digest.subarray(0, 8)), key };
}

/**
 * Opens the office where tickets are sealed: JWE, `dir` with A256GCM, issuer and audience pinned.
 *
 * Keys are imported at the first use and once. To rotate, put a new key in front and leave the old one behind it for as long as
 * a ticket lives.
 */
export function createTicketOffice(options: TicketOfficeOptions): TicketOffice {
  let importing: Promise<readonly TicketKey[]> | null = null;
  const importKeys = (): Promise<readonly TicketKey[]> => {
    importing ??= Promise.all(options.keys.map(importKey));
    return importing;
  };

  return {
    async seal(contents, origin) {
      const [first] = await importKeys();
      if (first === undefined) throw new Error('No ticket key is configured.');
      const issuedAt = Math.floor(options.nowMs() / 1_000);
      return new EncryptJWT({
        session_id: contents.sessionId,
        access_token: contents.accessToken,
        expires_at: contents.expiresAtMs,
        websocket_url: contents.websocketUrl,
        connector: contents.connector,
        origin,
      })
        .setProtectedHeader({ alg: ALGORITHM, enc: ENCRYPTION, kid: first.id })
        .setIssuer(ISSUER)
        .setAudience(AUDIENCE)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + options.lifetimeSeconds)
        .encrypt(first.key);
    },

    async open(ticket, origin) {
      const keys = await importKeys();
      const nowMs = options.nowMs();
      let payload: Readonly<Record<string, unknown>>;
      try {
        const opened = await jwtDecrypt(
          ticket,
          (header) => {
            const match = keys.find((candidate) => candidate.id === header.kid);
            if (match === undefined) throw new errors.JWEDecryptionFailed('unknown key');
            return match.key;
          },
          {
            issuer: ISSUER,
            audience: AUDIENCE,
            keyManagementAlgorithms: [ALGORITHM],
            contentEncryptionAlgorithms: [ENCRYPTION],
            requiredClaims: ['iat', 'exp'],
            currentDate: new Date(nowMs),
          },
        );
        payload = opened.payload;
      } catch (error) {
        if (error instanceof errors.JOSEError) return null;
        throw error;
      }
      return readContents(payload, origin, nowMs);
    },
  };
}

function readContents(
  payload: Readonly<Record<string, unknown>>,
  origin: string | null,
  nowMs: number,
): TicketContents | null {
  const {
    session_id: sessionId,
    access_token: accessToken,
    expires_at: expiresAtMs,
    websocket_url: websocketUrl,
    connector,
  } = payload;
  if (payload['origin'] !== origin) return null;
  if (typeof sessionId !== 'string' || typeof accessToken !== 'string' || typeof expiresAtMs !== 'number')
    return null;
  if (typeof websocketUrl !== 'string' || typeof connector !== 'string') return null;
  // TOK-5: an expired token cannot attach, and its session is lost with it (TOK-3).
  if (!isUsableAccessToken(accessToken, nowMs) || hasTokenExpired(expiresAtMs, nowMs)) return null;
  return { sessionId, accessToken, expiresAtMs, websocketUrl, connector };
}
