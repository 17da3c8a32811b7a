import { type FeedbackPayload, writeCursor } from '../../protocol/index.ts';
import type { ContactDetails } from '../chat-client.ts';
import type { ConversationStorage } from '../storage/conversation-storage.ts';
import {
  callProxy,
  type ProxyAnswer,
  type ProxyCallOptions,
  requestGrant,
  type SessionGrant,
} from './proxy-calls.ts';
import { type Fault, readFault } from './read-fault.ts';

/** A ticket lives 600 s from its issue; a reload must never meet one near its end. */
const RENEW_TICKET_AFTER_MS = 240_000;
/** Placeholder in storage for a ticket that a cookie of the proxy holds. */
export const IN_COOKIE = 'cookie';
/** Pause after a round of failed attempts. */
const RENEW_AGAIN_MS = 60_000;

export interface CredentialsOptions extends ProxyCallOptions {
  /** `restored` is the conversation to resume. */
  readonly storage: Pick<ConversationStorage, 'restored' | 'isUsed'>;
}

/** Identifies the ticket in a request body. */
export const reference = (ticket: string): { readonly resume_ticket: string | undefined } => ({
  // Without a ticket the proxy reads its cookie. JSON omits undefined values.
  resume_ticket: ticket === IN_COOKIE ? undefined : ticket || undefined,
});

/** Session id, access token and resume ticket, in memory only (TOK-3, TOK-8). */
export class Credentials {
  readonly #options: CredentialsOptions;
  #grant: SessionGrant | null = null;
  #tokenExpiresAtMs = 0;
  #ticketAtMs = 0;
  #renewAtMs = Infinity;
  #revoking: Promise<unknown> = Promise.resolve();

  constructor(options: CredentialsOptions) {
    this.#options = options;
  }

  get grant(): SessionGrant | null {
    return this.#grant;
  }

  set(grant: SessionGrant | null): void {
    this.#grant = grant;
    this.#ticketAtMs = this.#options.ports.clock.now();
    this.#tokenExpiresAtMs = this.#ticketAtMs + (grant?.expires_in_seconds ?? 0) * 1000;
    // A ticket that is still in memory moves to the cookie with the first use of the chat.
    const isForCookie = grant?.resume_by === IN_COOKIE && grant.resume_ticket;
    this.#renewAtMs = this.#ticketAtMs + (isForCookie ? 0 : RENEW_TICKET_AFTER_MS);
  }

  /** By a clock that may have changed since. */
  isTokenExpired(): boolean {
    return this.#options.ports.clock.now() >= this.#tokenExpiresAtMs;
  }

  /**
   * For other tabs only, because before the first message there is neither a cookie nor a stored ticket. Empty for
   * none.
   */
  ticket(): string {
    return this.#grant?.resume_ticket || this.storedTicket();
  }

  /** The ticket in its storable form; empty for none. */
  storedTicket(): string {
    const grant = this.#grant;
    if (!grant) return this.#options.storage.restored?.resumeTicket ?? '';
    return grant.resume_by === IN_COOKIE ? IN_COOKIE : grant.resume_ticket;
  }

  /**
   * Address of a socket. Contains the token or ticket, so it must only be used for the socket. Throws without a
   * session. Source: messaging.md 4.1.
   */
  socketUrl(cursor: number): string {
    const { session_id, access_token, websocket_url, relay_ticket: ticket } = this.#grant as SessionGrant;
    const written = writeCursor(cursor);
    const pair = ticket ? { ticket: `${ticket}` } : { session_id, access_token };
    const parameters = { ...pair, ...(written && { cursor: written }) };
    return `${websocket_url}?${new URLSearchParams(parameters)}`;
  }

  /** Fetches a ticket for the next socket if the proxy relays it. Returns the fault, `null` for none. */
  async renewRelayTicket(signal: AbortSignal): Promise<Fault | null> {
    const before = this.#grant;
    if (!before?.relay_ticket) return null;
    const { status, fields } = await callProxy(this.#options, '/v1/relay', reference(this.ticket()), signal);
    const { relay_ticket, code } = fields;
    if (!relay_ticket) return readFault(status, code);
    if (this.#grant === before) this.#grant = { ...before, relay_ticket };
    return null;
  }

  /** When the ticket should be renewed; infinite for never. An unattended conversation is left to expire. */
  ticketDueAtMs(isOpen: boolean, lastActivityMs: number): number {
    return this.#grant && (isOpen || lastActivityMs > this.#ticketAtMs) ? this.#renewAtMs : Infinity;
  }

  /** Exchanges a ticket for its credentials. */
  resume(ticket: string, signal: AbortSignal): Promise<SessionGrant | Fault> {
    return requestGrant(this.#options, '/v1/resume', reference(ticket), signal);
  }

  /**
   * Renews the ticket, so that a reload finds a valid one. Resolves when that has succeeded or failed for now. Not due
   * while running.
   */
  async renewTicket(signal: AbortSignal): Promise<void> {
    const before = this.#grant;
    if (!before) return;
    this.#renewAtMs = Infinity;
    // The page may be unloaded right after the first message; the next one needs the cookie set by this call.
    const own = reference(before.resume_ticket);
    const answer = await requestGrant(this.#options, '/v1/resume', own, signal, true);
    // The session changed during the request; discard this ticket.
    if (this.#grant !== before) return;
    if ('reason' in answer) {
      // A rejected ticket stays rejected: the chat continues, and a reload starts another one.
      if (answer.isTemporary) this.#renewAtMs = this.#options.ports.clock.now() + RENEW_AGAIN_MS;
    } else if (answer.session_id === before.session_id) {
      // The token in memory is the one the socket was opened with; only the ticket is new.
      this.set({ ...answer, access_token: before.access_token, websocket_url: before.websocket_url });
    }
  }

  /**
   * Revokes all tickets of the conversation at the proxy, and removes its cookie. If the proxy is unreachable, the
   * ticket stays valid until it expires.
   */
  revoke(): void {
    const ticket = this.ticket();
    // A conversation that was never used is not stored anywhere.
    if (!this.#options.storage.isUsed() || !ticket) return;
    const { signal } = new AbortController();
    this.#revoking = requestGrant(this.#options, '/v1/logout', reference(ticket), signal, true);
  }

  /** Resolves when the last revocation has ended. */
  whenRevoked(): Promise<unknown> {
    return this.#revoking;
  }

  /** Sends a contact request to the proxy's hook. Never rejects. */
  requestContact({ name, email, text }: ContactDetails, signal: AbortSignal): Promise<ProxyAnswer> {
    return callProxy(
      this.#options,
      '/v1/contact',
      { ...reference(this.ticket()), name, email, text },
      signal,
    );
  }

  /** Sends a rating to the proxy's hook. Never rejects. Source: EXT-6. */
  giveFeedback(feedback: FeedbackPayload, signal: AbortSignal): Promise<ProxyAnswer> {
    return callProxy(this.#options, '/v1/feedback', { ...reference(this.ticket()), ...feedback }, signal);
  }

  /** Submits a verified-context token for that ticket's session. Never rejects. Source: VCI-6. */
  submitContext(ticket: string, token: string, signal: AbortSignal): Promise<ProxyAnswer> {
    return callProxy(this.#options, '/v1/context', { ...reference(ticket), token }, signal);
  }
}
