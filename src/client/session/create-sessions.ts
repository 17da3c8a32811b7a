import { defaultVocabulary, LIMITS, type Vocabulary, writeCursor } from '../../protocol/index.ts';
import type { ChatClientOptions } from '../chat-client.ts';
import type { ConnectionEvent, SessionRequest } from '../connection/connection-state.ts';
import type { ClientPorts } from '../ports.ts';
import type { ConversationRecord } from '../storage/create-record.ts';
import type { StoredConversation } from '../storage/stored-conversation.ts';
import { isTokenUsable } from './is-token-usable.ts';
import { isServiceUp, type ProxyCallOptions, requestGrant, type SessionGrant } from './proxy-calls.ts';
import { type Fault, readFault } from './read-fault.ts';

/** A ticket lives 600 s from when it was sealed; a reload must never meet one near its end. */
const RENEW_TICKET_AFTER_MS = 240_000;
/** Pause after a round of tries that all failed. */
const RENEW_AGAIN_MS = 60_000;

export interface SessionsOptions extends ProxyCallOptions {
  readonly chat: ChatClientOptions;
  readonly ports: ClientPorts;
  readonly record: ConversationRecord;
  /** A session is there: a new one, or the stored one with what was stored beside it. */
  readonly onSession: (stored: StoredConversation | null) => void;
}

/** Gets the pair of session and token and keeps it, in memory only (TOK-3, TOK-8). */
export interface Sessions {
  /** What may be kept of the pair; null while there is none. */
  identity(): { readonly sessionId: string; readonly resumeTicket: string } | null;
  /** Source: V-4. */
  vocabulary(): Vocabulary;
  /** Address of the next socket. Holds the token: for the socket only. Source: messaging.md 4.1. */
  socketUrl(cursor: number): string;
  /** Whether the proxy reaches the platform. Never rejects. */
  isServiceUp(): Promise<boolean>;
  /** Never rejects. Requests of one kind share one flight; a request of another kind replaces it. */
  obtain(request: SessionRequest): Promise<ConnectionEvent>;
  /** When the ticket should be renewed; infinite for never. An unattended conversation is left to run out. */
  ticketDueAtMs(isOpen: boolean, lastActivityMs: number): number;
  /**
   * Has the proxy seal the pair anew, so that a reload finds a ticket that is still good. Resolves when that
   * is done or given up for now; says nothing and disturbs nothing when it fails. Not due while under way.
   */
  renewTicket(): Promise<void>;
  /** The conversation has ended: what is under way comes to nothing. */
  stop(): void;
  /** Stops, and lets go of the pair; what is stored stays. */
  forget(): void;
}

/** True for a stored conversation that the platform still keeps. Source: ST-1. */
export function isFresh(stored: StoredConversation | null, nowMs: number): stored is StoredConversation {
  return stored !== null && nowMs - stored.lastActivityMs < LIMITS.inactivityMs;
}

export function createSessions(options: SessionsOptions): Sessions {
  const { chat, ports, record } = options;
  let grant: SessionGrant | null = null;
  let ticketAtMs = 0;
  let renewAtMs = Infinity;
  /** Of every request under way. */
  let life = new AbortController();
  let flight: { kind: SessionRequest; result: Promise<ConnectionEvent> } | null = null;

  const nowMs = (): number => ports.clock.now();

  function stop(): AbortSignal {
    life.abort();
    life = new AbortController();
    flight = null;
    return life.signal;
  }

  function keep(next: SessionGrant | null): void {
    grant = next;
    ticketAtMs = nowMs();
    renewAtMs = ticketAtMs + RENEW_TICKET_AFTER_MS;
  }

  const fail = ({ reason, mayComeBack }: Fault): ConnectionEvent => ({
    type: 'session_failed',
    reason,
    mayComeBack,
    keepsPair: grant !== null,
  });

  function accept(
    answer: SessionGrant | Fault,
    stored: StoredConversation | null,
    signal: AbortSignal,
  ): ConnectionEvent {
    if ('reason' in answer) return fail(answer);
    // Nobody waits for this one any more: a conversation that changed under the visitor's hands would be worse.
    if (signal.aborted) return fail(readFault(0));
    keep(answer);
    options.onSession(stored);
    return { type: 'session_ready' };
  }

  const resume = (ticket: string, signal: AbortSignal): Promise<SessionGrant | Fault> =>
    requestGrant(options, '/v1/resume', { resume_ticket: ticket }, signal);

  async function create(signal: AbortSignal): Promise<ConnectionEvent> {
    const { connector, platform, deviceType: device_type, streaming = true } = chat;
    // What is undefined is left out of the JSON.
    const body = { connector, platform, device_type, streaming };
    return accept(await requestGrant(options, '/v1/session', body, signal), null, signal);
  }

  /** Source: ST-1. */
  async function resumeOrCreate(signal: AbortSignal): Promise<ConnectionEvent> {
    const stored = await record.load();
    // Words that wait for their first session: there is nothing to resume, and they stay until it is there.
    if (isFresh(stored, nowMs()) && stored.resumeTicket === '') return create(signal);
    if (isFresh(stored, nowMs())) {
      const answer = await resume(stored.resumeTicket, signal);
      const isUsable =
        'reason' in answer
          ? answer.reason !== 'session_expired'
          : isTokenUsable(answer.access_token, nowMs());
      if (isUsable) return accept(answer, stored, signal);
    }
    if (stored) record.save(null);
    return create(signal);
  }

  async function request(kind: SessionRequest, signal: AbortSignal): Promise<ConnectionEvent> {
    if (kind === 'start') return grant ? { type: 'session_ready' } : resumeOrCreate(signal);
    if (kind === 'renew') {
      keep(null);
      record.save(null);
      return create(signal);
    }
    // The handshakes failed, but only a platform that answers can have refused them. A session must
    // not be lost to an outage (CON-3), so the pair stays until another one is in hand.
    return (await isServiceUp(options, signal)) ? create(signal) : fail(readFault(0));
  }

  return {
    identity: () => grant && { sessionId: grant.session_id, resumeTicket: grant.resume_ticket },
    vocabulary: () =>
      chat.vocabulary ?? (grant ? defaultVocabulary(new URL(grant.websocket_url).host) : 'neutral'),
    socketUrl(cursor) {
      if (!grant) throw new Error('There is no session.');
      const { session_id, access_token, websocket_url } = grant;
      const written = writeCursor(cursor);
      const parameters = { session_id, access_token, ...(written && { cursor: written }) };
      return `${websocket_url}?${new URLSearchParams(parameters)}`;
    },
    isServiceUp: () => isServiceUp(options, life.signal),
    obtain(kind) {
      if (flight?.kind === kind) return flight.result;
      const signal = stop();
      const result = request(kind, signal).finally(() => {
        if (!signal.aborted) flight = null;
      });
      flight = { kind, result };
      return result;
    },
    ticketDueAtMs: (isOpen, lastActivityMs) => (isOpen || lastActivityMs > ticketAtMs ? renewAtMs : Infinity),
    async renewTicket() {
      const before = grant;
      if (!before) return;
      renewAtMs = Infinity;
      const answer = await resume(before.resume_ticket, life.signal);
      // Another session, or none, has come meanwhile: this ticket belongs to nobody.
      if (grant !== before) return;
      if ('reason' in answer) {
        // A ticket that is refused stays refused: the chat goes on, and a reload starts another.
        if (answer.mayComeBack) renewAtMs = nowMs() + RENEW_AGAIN_MS;
      } else if (answer.session_id === before.session_id) {
        // The token in memory is the one the socket was opened with; only the ticket is news.
        keep({ ...before, resume_ticket: answer.resume_ticket });
      }
    },
    stop,
    forget() {
      stop();
      keep(null);
    },
  };
}
