import { defaultVocabulary, LIMITS, type Vocabulary, writeCursor } from '../../protocol/index.ts';
import type { ChatClientOptions } from '../chat-client.ts';
import type { SessionRequest } from '../connection/connection-state.ts';
import type { ObtainOutcome } from '../connection/driver.ts';
import type { ClientPorts } from '../ports.ts';
import type { ConversationRecord } from '../storage/conversation-record.ts';
import type { StoredConversation } from '../storage/stored-conversation.ts';
import { isUrlAllowed } from './check-url.ts';
import { FAILURE_CODES, type FailureCode } from './failure-codes.ts';
import { isTokenUsable } from './is-token-usable.ts';
import {
  isServiceUp,
  type ProxyCallOptions,
  type ProxyOutcome,
  requestGrant,
  type SessionGrant,
} from './proxy-calls.ts';

export interface SessionManagerOptions {
  readonly chat: ChatClientOptions;
  readonly endpoint: string;
  readonly ports: ClientPorts;
  readonly record: ConversationRecord;
  /** A session is there: a new one, or the stored one with what was stored beside it. */
  readonly onSession: (stored: StoredConversation | null) => void;
}

/** A ticket lives 600 s from when it was sealed; a reload must never meet one near its end. */
const RENEW_TICKET_AFTER_MS = 240_000;
/** Pause after a round of tries that all failed. */
const RENEW_AGAIN_MS = 60_000;

/**
 * Gets the pair of session and token and keeps it, in memory only (TOK-3, TOK-8). Requests of one kind share
 * one flight; a request of another kind replaces it.
 */
export class SessionManager {
  readonly #options: SessionManagerOptions;
  readonly #calls: ProxyCallOptions;
  #grant: SessionGrant | null = null;
  #ticketAtMs = 0;
  #renewAtMs: number = Number.POSITIVE_INFINITY;
  #renewal: AbortController | null = null;
  #flight: {
    readonly request: SessionRequest;
    readonly abort: AbortController;
    readonly result: Promise<ObtainOutcome>;
  } | null = null;

  constructor(options: SessionManagerOptions) {
    this.#options = options;
    const { allowInsecure = false } = options.chat;
    this.#calls = {
      endpoint: options.endpoint,
      ports: options.ports,
      isUrlAllowed: (url) => isUrlAllowed(url, allowInsecure),
    };
  }

  /** Names of the pair that may be kept; null while there is none. */
  get identity(): { readonly sessionId: string; readonly resumeTicket: string } | null {
    return this.#grant && { sessionId: this.#grant.sessionId, resumeTicket: this.#grant.resumeTicket };
  }

  /** Source: V-4. */
  get vocabulary(): Vocabulary {
    const { vocabulary } = this.#options.chat;
    if (vocabulary) return vocabulary;
    return this.#grant ? defaultVocabulary(new URL(this.#grant.websocketUrl).host) : 'neutral';
  }

  /** Address of the next socket. Holds the token: for the socket only. Source: messaging.md 4.1. */
  socketUrl(cursor: number): string {
    if (!this.#grant) throw new Error('There is no session yet; obtain one before opening a socket.');
    const url = new URL(this.#grant.websocketUrl);
    url.searchParams.set('session_id', this.#grant.sessionId);
    url.searchParams.set('access_token', this.#grant.accessToken);
    const parameter = writeCursor(cursor);
    if (parameter !== null) url.searchParams.set('cursor', parameter);
    return url.href;
  }

  obtain(request: SessionRequest): Promise<ObtainOutcome> {
    if (this.#flight?.request === request) return this.#flight.result;
    this.#flight?.abort.abort();
    const abort = new AbortController();
    const result = this.#obtain(request, abort.signal).finally(() => {
      if (this.#flight?.abort === abort) this.#flight = null;
    });
    this.#flight = { request, abort, result };
    return result;
  }

  /** When the ticket should be renewed; infinite for never. An unattended conversation is left to run out. */
  ticketDueAtMs(isOpen: boolean, lastActivityMs: number): number {
    return isOpen || lastActivityMs > this.#ticketAtMs ? this.#renewAtMs : Number.POSITIVE_INFINITY;
  }

  /**
   * Has the proxy seal the pair anew, so that a reload finds a ticket that is still good. Resolves when that
   * is done or given up for now; says nothing and disturbs nothing when it fails. Not due while under way.
   */
  async renewTicket(): Promise<void> {
    const before = this.#grant;
    if (!before) return;
    this.#renewAtMs = Number.POSITIVE_INFINITY;
    const abort = new AbortController();
    this.#renewal = abort;
    const outcome = await this.#resume(before.resumeTicket, abort.signal);
    // Another session, or none, has come meanwhile: this ticket belongs to nobody.
    if (this.#grant !== before) return;
    if (outcome.status === 'failed') {
      // A ticket that is refused stays refused: the chat goes on, and a reload starts another.
      if (FAILURE_CODES[outcome.code].semantics === 'come-back')
        this.#renewAtMs = this.#nowMs() + RENEW_AGAIN_MS;
    } else if (outcome.grant.sessionId === before.sessionId) {
      // The token in memory is the one the socket was opened with; only the ticket is news.
      this.#keep({ ...before, resumeTicket: outcome.grant.resumeTicket });
    }
  }

  /** The conversation has ended: nobody will come back to it. */
  stopRenewing(): void {
    this.#renewal?.abort();
  }

  /** The conversation is over: the pair goes, in memory and in storage. Source: ST-4. */
  forget(): void {
    this.#flight?.abort.abort();
    this.#flight = null;
    this.#keep(null);
    this.#options.record.clear();
  }

  /** Lets go of requests under way; what is stored stays. */
  destroy(): void {
    this.#flight?.abort.abort();
    this.#keep(null);
  }

  #nowMs(): number {
    return this.#options.ports.clock.now();
  }

  #keep(grant: SessionGrant | null): void {
    this.#renewal?.abort();
    this.#grant = grant;
    this.#ticketAtMs = this.#nowMs();
    this.#renewAtMs = this.#ticketAtMs + RENEW_TICKET_AFTER_MS;
  }

  #resume(ticket: string, signal: AbortSignal): Promise<ProxyOutcome> {
    return requestGrant(this.#calls, '/v1/resume', { resume_ticket: ticket }, true, signal);
  }

  async #obtain(request: SessionRequest, signal: AbortSignal): Promise<ObtainOutcome> {
    switch (request) {
      case 'start':
        return this.#grant ? { status: 'ready' } : this.#resumeOrCreate(signal);
      case 'renew':
        this.#keep(null);
        this.#options.record.clear();
        return this.#create(true, signal);
      case 'replace':
        // The handshakes failed, but only a platform that answers can have refused them. A session must
        // not be lost to an outage (CON-3), so the pair stays until another one is in hand.
        return (await isServiceUp(this.#calls, signal))
          ? this.#create(false, signal)
          : this.#fail('UPSTREAM_UNAVAILABLE');
    }
  }

  /** Source: ST-1. */
  async #resumeOrCreate(signal: AbortSignal): Promise<ObtainOutcome> {
    const { record } = this.#options;
    const stored = await record.load();
    if (!isFresh(stored, this.#nowMs())) {
      if (stored) record.clear();
      return this.#create(true, signal);
    }
    const outcome = await this.#resume(stored.resumeTicket, signal);
    if (outcome.status === 'failed' && outcome.code !== 'RESUME_TICKET_INVALID')
      return this.#fail(outcome.code);
    const isUsable = outcome.status === 'granted' && isTokenUsable(outcome.grant.accessToken, this.#nowMs());
    if (isUsable) return this.#accept(outcome.grant, stored, signal);
    record.clear();
    return this.#create(true, signal);
  }

  async #create(isPatient: boolean, signal: AbortSignal): Promise<ObtainOutcome> {
    const { connector, platform, deviceType, streaming = true } = this.#options.chat;
    const outcome: ProxyOutcome = await requestGrant(
      this.#calls,
      '/v1/session',
      {
        ...(connector !== undefined && { connector }),
        ...(platform !== undefined && { platform }),
        ...(deviceType !== undefined && { device_type: deviceType }),
        streaming,
      },
      isPatient,
      signal,
    );
    return outcome.status === 'granted'
      ? this.#accept(outcome.grant, null, signal)
      : this.#fail(outcome.code);
  }

  #accept(grant: SessionGrant, stored: StoredConversation | null, signal: AbortSignal): ObtainOutcome {
    // Nobody waits for this one any more: a conversation that changed under the visitor's hands would be worse.
    if (signal.aborted) return this.#fail('NETWORK_UNREACHABLE');
    this.#keep(grant);
    this.#options.onSession(stored);
    return { status: 'ready' };
  }

  #fail(code: FailureCode): ObtainOutcome {
    const { semantics, reason } = FAILURE_CODES[code];
    return {
      status: 'failed',
      reason,
      mayComeBack: semantics === 'come-back',
      keepsPair: this.#grant !== null,
    };
  }
}

/** True for a stored conversation that the platform still keeps. Source: ST-1. */
export function isFresh(stored: StoredConversation | null, nowMs: number): stored is StoredConversation {
  return stored !== null && nowMs - stored.lastActivityMs < LIMITS.inactivityMs;
}
