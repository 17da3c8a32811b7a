import { hasTokenExpired, isUsableAccessToken } from './access-token.ts';
import { createSealedBox } from './sealed-box.ts';

/** Contents of a ticket. */
export interface TicketContents {
  readonly sessionId: string;
  readonly accessToken: string;
  readonly expiresAtMs: number;
  readonly websocketUrl: string;
  readonly connector: string;
  /** Whether the platform stores contact requests of the session. */
  readonly storesContact: boolean;
}

/** Issues and opens resume tickets. Source: ST-3. */
export interface ResumeTickets {
  /** Makes a ticket for the page at `origin` (null: a caller without one). */
  seal(contents: TicketContents, origin: string | null): Promise<string>;
  /** The ticket's content; null for a foreign or expired ticket, one of another page, or one with an expired token. */
  open(ticket: string, origin: string | null): Promise<TicketContents | null>;
}

interface TicketOfficeOptions {
  /** base64url, 32 bytes each; the first encrypts, all decrypt. */
  readonly keys: readonly string[];
  readonly lifetimeSeconds: number;
  readonly nowMs: () => number;
}

/** Creates the issuer of tickets. */
export function createResumeTickets({ keys, lifetimeSeconds, nowMs }: TicketOfficeOptions): ResumeTickets {
  const box = createSealedBox({ keys, audience: 'natter-resume', nowMs });
  return {
    seal: (contents, origin) =>
      box.seal(
        {
          session_id: contents.sessionId,
          access_token: contents.accessToken,
          expires_at: contents.expiresAtMs,
          websocket_url: contents.websocketUrl,
          connector: contents.connector,
          ...(contents.storesContact && { stores_contact: true }),
          origin,
        },
        lifetimeSeconds,
      ),
    async open(ticket, origin) {
      const payload = await box.open(ticket);
      return payload === null ? null : readContents(payload, origin, nowMs());
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
    stores_contact: storesContact = false,
  } = payload;
  if (payload['origin'] !== origin) return null;
  if (typeof sessionId !== 'string' || typeof accessToken !== 'string' || typeof expiresAtMs !== 'number')
    return null;
  if (typeof websocketUrl !== 'string' || typeof connector !== 'string') return null;
  // TOK-5: an expired token cannot attach, and its session is lost with it (TOK-3).
  if (!isUsableAccessToken(accessToken, nowMs) || hasTokenExpired(expiresAtMs, nowMs)) return null;
  return {
    ...{ sessionId, accessToken, expiresAtMs, websocketUrl, connector },
    storesContact: storesContact === true,
  };
}
