import type { TicketContents } from '../sessions/resume-ticket.ts';
import type { Revocations } from '../sessions/revocations.ts';
import { createSealedBox, type SealedBox } from '../sessions/sealed-box.ts';

/** How long a ticket opens a socket: a slow phone's time from the answer to the handshake. */
export const RELAY_TICKET_SECONDS = 30;

/** The session that a ticket opens a socket of. */
export type RelayedSession = Pick<TicketContents, 'sessionId' | 'accessToken'>;

interface RelayTicketsOptions {
  /** base64url, 32 bytes each; the first seals, all open. */
  readonly keys: readonly string[];
  readonly nowMs: () => number;
  /** Remembers used tickets for all copies of the proxy; undefined where each remembers its own. */
  readonly shared: Revocations | undefined;
}

/** Seals tickets for one socket each, and opens every one once. */
export class RelayTickets {
  readonly #box: SealedBox;
  readonly #nowMs: () => number;
  readonly #shared: Revocations | undefined;
  /** Ids of used tickets and when each expires, in the order of use. */
  readonly #used = new Map<string, number>();

  constructor({ keys, nowMs, shared }: RelayTicketsOptions) {
    this.#box = createSealedBox({ keys, audience: 'natter-relay', nowMs });
    this.#nowMs = nowMs;
    this.#shared = shared;
  }

  /** Makes a ticket for the page at `origin` (null: a caller without one). */
  seal({ sessionId, accessToken }: RelayedSession, origin: string | null): Promise<string> {
    const claims = { jti: crypto.randomUUID(), session_id: sessionId, access_token: accessToken, origin };
    return this.#box.seal(claims, RELAY_TICKET_SECONDS);
  }

  /** Returns the session of a ticket and spends it; null for one that is not ours, not theirs, too old or used. */
  async open(ticket: string, origin: string | null): Promise<RelayedSession | null> {
    const claims = await this.#box.open(ticket);
    if (claims === null || claims['origin'] !== origin) return null;
    const { jti: id, session_id: sessionId, access_token: accessToken } = claims;
    if (typeof id !== 'string' || typeof sessionId !== 'string' || typeof accessToken !== 'string')
      return null;
    // Before anything is awaited: of two handshakes with one ticket the second must not pass meanwhile.
    if (!this.#spend(id)) return null;
    if (this.#shared !== undefined) {
      const key = `relay ${id}`;
      if (await this.#shared.has(key)) return null;
      await this.#shared.add(key, RELAY_TICKET_SECONDS);
    }
    return { sessionId, accessToken };
  }

  #spend(id: string): boolean {
    const nowMs = this.#nowMs();
    for (const [used, expiresAtMs] of this.#used) {
      if (expiresAtMs > nowMs) break;
      this.#used.delete(used);
    }
    if (this.#used.has(id)) return false;
    this.#used.set(id, nowMs + RELAY_TICKET_SECONDS * 1_000);
    return true;
  }
}
