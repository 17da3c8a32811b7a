import type { TicketContents } from '../sessions/resume-ticket.ts';
import type { Revocations } from '../sessions/revocations.ts';
import { createSealedBox, type SealedBox } from '../sessions/sealed-box.ts';

/** Lifetime of a ticket: a slow phone's time from the response to the handshake. */
export const RELAY_TICKET_SECONDS = 30;

/** The session that a ticket opens a socket for. */
export type RelayedSession = Pick<TicketContents, 'sessionId' | 'accessToken'>;

interface RelayTicketsOptions {
  /** base64url, 32 bytes each; the first encrypts, all decrypt. */
  readonly keys: readonly string[];
  readonly nowMs: () => number;
  /** Stores used tickets for all replicas; undefined: each replica has its own record. */
  readonly shared: Revocations | undefined;
}

/** Issues tickets that open one socket each. */
export class RelayTickets {
  readonly #box: SealedBox;
  readonly #nowMs: () => number;
  readonly #shared: Revocations | undefined;
  /** Ids of used tickets with their expiry, in the order of use. */
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

  /**
   * Returns a ticket's session and marks it as used; null for a foreign, expired or used one, or one of another page.
   */
  async open(ticket: string, origin: string | null): Promise<RelayedSession | null> {
    const claims = await this.#box.open(ticket);
    if (claims === null || claims['origin'] !== origin) return null;
    const { jti: id, session_id: sessionId, access_token: accessToken } = claims;
    if (typeof id !== 'string' || typeof sessionId !== 'string' || typeof accessToken !== 'string')
      return null;
    // Before any await, so that a second handshake with the same ticket cannot pass.
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
