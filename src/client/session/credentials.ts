import { writeCursor } from '../../protocol/index.ts';
import type { ConversationStorage } from '../storage/conversation-storage.ts';
import {
  callProxy,
  type ProxyAnswer,
  type ProxyCallOptions,
  requestGrant,
  type SessionGrant,
} from './proxy-calls.ts';
import type { Fault } from './read-fault.ts';

/** A ticket lives 600 s from when it was sealed; a reload must never meet one near its end. */
const RENEW_TICKET_AFTER_MS = 240_000;
/** Stands in storage for a ticket that a cookie of the proxy holds. */
const IN_COOKIE = 'cookie';
/** Pause after a round of tries that all failed. */
const RENEW_AGAIN_MS = 60_000;

export interface CredentialsOptions extends ProxyCallOptions {
  /** `restored` is what there is to resume. */
  readonly storage: Pick<ConversationStorage, 'restored' | 'isUsed'>;
}

/** Session id, access token and resume ticket, in memory only (TOK-3, TOK-8). */
export interface Credentials {
  readonly grant: SessionGrant | null;
  set(grant: SessionGrant | null): void;
  /** By a clock that may have jumped since. */
  isTokenExpired(): boolean;
  /** For other tabs only: before the first message there is no cookie and nothing in storage. Empty for none. */
  ticket(): string;
  /** The ticket as it may be stored; empty for none. */
  storedTicket(): string;
  /** Address of a socket. Holds the token: for the socket only. Throws without a session. Source: messaging.md 4.1. */
  socketUrl(cursor: number): string;
  /** When the ticket should be renewed; infinite for never. An unattended conversation is left to run out. */
  ticketDueAtMs(isOpen: boolean, lastActivityMs: number): number;
  /** Exchanges a ticket for its credentials. */
  resume(ticket: string, signal: AbortSignal): Promise<SessionGrant | Fault>;
  /**
   * Has the proxy seal the credentials anew, so that a reload finds a ticket that is still good. Resolves when that is done
   * or given up for now. Not due while under way.
   */
  renewTicket(signal: AbortSignal): Promise<void>;
  /**
   * Has the proxy refuse every ticket of the conversation from now on, and remove its cookie. When the proxy cannot be
   * reached, the ticket lives until its time is over.
   */
  revoke(): void;
  /** Resolves when the last revocation is over. */
  whenRevoked(): Promise<unknown>;
  /** Hands a verified-context token in for the session of that ticket. Never rejects. Source: VCI-6. */
  submitContext(ticket: string, token: string, signal: AbortSignal): Promise<ProxyAnswer>;
}

const reference = (ticket: string) => ({
  // Without a ticket the proxy looks into its cookie; what is undefined is left out of the JSON.
  resume_ticket: ticket === IN_COOKIE ? undefined : ticket || undefined,
});

export function createCredentials(options: CredentialsOptions): Credentials {
  const { ports, storage } = options;
  let grant: SessionGrant | null = null;
  let tokenExpiresAtMs = 0;
  let ticketAtMs = 0;
  let renewAtMs = Infinity;
  let revoking: Promise<unknown> = Promise.resolve();

  function set(next: SessionGrant | null): void {
    grant = next;
    ticketAtMs = ports.clock.now();
    tokenExpiresAtMs = ticketAtMs + (next?.expires_in_seconds ?? 0) * 1000;
    // A ticket that is still in memory goes into the cookie with the first use of the chat.
    const isForCookie = next?.resume_by === IN_COOKIE && next.resume_ticket;
    renewAtMs = ticketAtMs + (isForCookie ? 0 : RENEW_TICKET_AFTER_MS);
  }

  function storedTicket(): string {
    if (!grant) return storage.restored?.resumeTicket ?? '';
    return grant.resume_by === IN_COOKIE ? IN_COOKIE : grant.resume_ticket;
  }

  const ticket = (): string => grant?.resume_ticket || storedTicket();

  const resume = (given: string, signal: AbortSignal): Promise<SessionGrant | Fault> =>
    requestGrant(options, '/v1/resume', reference(given), signal);

  return {
    get grant() {
      return grant;
    },
    set,
    isTokenExpired: () => ports.clock.now() >= tokenExpiresAtMs,
    ticket,
    storedTicket,
    socketUrl(cursor) {
      const { session_id, access_token, websocket_url } = grant as SessionGrant;
      const written = writeCursor(cursor);
      const parameters = { session_id, access_token, ...(written && { cursor: written }) };
      return `${websocket_url}?${new URLSearchParams(parameters)}`;
    },
    ticketDueAtMs: (isOpen, lastActivityMs) =>
      grant && (isOpen || lastActivityMs > ticketAtMs) ? renewAtMs : Infinity,
    resume,
    async renewTicket(signal) {
      const before = grant;
      if (!before) return;
      renewAtMs = Infinity;
      const answer = await resume(before.resume_ticket, signal);
      // The session changed during the request; discard this ticket.
      if (grant !== before) return;
      if ('reason' in answer) {
        // A ticket that is refused stays refused: the chat goes on, and a reload starts another.
        if (answer.mayComeBack) renewAtMs = ports.clock.now() + RENEW_AGAIN_MS;
      } else if (answer.session_id === before.session_id) {
        // The token in memory is the one the socket was opened with; only the ticket is news.
        set({ ...answer, access_token: before.access_token, websocket_url: before.websocket_url });
      }
    },
    revoke() {
      const given = ticket();
      // A conversation that was never used is stored nowhere.
      if (!storage.isUsed() || !given) return;
      revoking = requestGrant(options, '/v1/logout', reference(given), new AbortController().signal);
    },
    whenRevoked: () => revoking,
    submitContext: (given, token, signal) =>
      callProxy(options, '/v1/context', { ...reference(given), token }, signal),
  };
}
