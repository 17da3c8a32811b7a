import { defaultVocabulary, type Vocabulary } from '../../protocol/index.ts';
import type { ChatClientOptions, ChatDiagnosis } from '../chat-client.ts';
import type { ConnectionEvent, SessionRequest } from '../connection/connection-state.ts';
import type { Transport, TransportEvents } from '../connection/transport.ts';
import { type Conversation, STATE_VERSION } from '../conversation/conversation-state.ts';
import type { Turns } from '../fallback/create-turns.ts';
import type { ClientPorts } from '../ports.ts';
import { retryImport } from '../retry-import.ts';
import type { ConversationStorage } from '../storage/conversation-storage.ts';
import { isFresh, type StoredConversation, type StoredTurns } from '../storage/stored-conversation.ts';
import { type Credentials, createCredentials } from './credentials.ts';
import {
  callProxy,
  isServiceUp,
  type ProxyAnswer,
  type ProxyCallOptions,
  requestGrant,
  type SessionGrant,
} from './proxy-calls.ts';
import { type Fault, readFault } from './read-fault.ts';

export interface SessionsOptions extends ProxyCallOptions {
  readonly chat: ChatClientOptions;
  readonly ports: ClientPorts;
  /** `restored` is what there is to resume. */
  readonly storage: Pick<ConversationStorage, 'restored' | 'isUsed' | 'clear'>;
  readonly current: () => Conversation;
  /** Something has happened to a conversation in turns that a reload has to know of. */
  readonly onTurn: () => void;
  /** A session is there: a new one, or the stored one with what was stored beside it. */
  readonly onSession: (stored: StoredConversation | null) => void;
}

/** Gets the credentials of a session. */
export interface Sessions
  extends Pick<Credentials, 'ticket' | 'ticketDueAtMs' | 'revoke' | 'whenRevoked' | 'submitContext'> {
  /** What may be kept of the pair, and of turns; null while there is none. */
  identity(): {
    readonly sessionId: string;
    readonly resumeTicket: string;
    readonly turns?: StoredTurns;
  } | null;
  /** Source: V-4. */
  vocabulary(): Vocabulary;
  /** Address of the next socket; without a cursor, the conversation's own. Holds the token: for the socket only. Source: messaging.md 4.1. */
  socketUrl(cursor?: number): string;
  /** Whether the conversation is held in turns instead of over a socket. */
  isTurnBased(): boolean;
  /** The transport of a network that lets no socket through; undefined as long as sockets may work. */
  openTurns(events: TransportEvents): Transport | undefined;
  /** Never rejects. Replaces what was asked before. */
  obtain(request: SessionRequest): Promise<ConnectionEvent>;
  renewTicket(): Promise<void>;
  /** Has the proxy try the session's socket, for a diagnosis; null while there is no session. Never rejects. */
  trySocket(): Promise<ChatDiagnosis['socket']>;
  /** The conversation has ended: what is under way comes to nothing. */
  stop(): void;
  /** Stops, and lets go of the pair; what is stored stays. */
  forget(): void;
}

const READY: ConnectionEvent = { type: 'session_ready' };
const UNREACHED: Fault = readFault(0);

export function createSessions(options: SessionsOptions): Sessions {
  const { chat, ports, storage } = options;
  const credentials = createCredentials(options);
  const { ticket, ticketDueAtMs, revoke, whenRevoked, submitContext } = credentials;
  /** Of every request under way. */
  let life = new AbortController();
  let turns: Turns | undefined;

  const isUp = (): Promise<boolean> => isServiceUp(options, life.signal);

  /** For a network without sockets. The part that does this comes only then; false when it cannot be had. */
  async function takeTurns(signal: AbortSignal, stored?: StoredConversation): Promise<boolean> {
    try {
      const { createTurns } = await retryImport(() => import('../fallback/create-turns.ts'));
      // Nobody waits for it any more.
      if (signal.aborted) return false;
      if (!turns?.isInUse) {
        turns = createTurns({
          ...options,
          call: (path, body) => callProxy(options, path, body, new AbortController().signal),
          isServiceUp: isUp,
          socketUrl,
          stored,
          version: STATE_VERSION,
        });
      }
      return true;
    } catch {
      // The network that let the question through did not let the code through.
      return false;
    }
  }

  const socketUrl = (cursor = options.current().transcript.cursor): string => credentials.socketUrl(cursor);

  function stop(): AbortSignal {
    life.abort();
    life = new AbortController();
    return life.signal;
  }

  const fail = (fault = UNREACHED): ConnectionEvent => ({
    type: 'session_failed',
    ...fault,
    keepsPair: credentials.grant !== null,
  });

  function accept(
    answer: SessionGrant | Fault,
    stored: StoredConversation | null,
    signal: AbortSignal,
  ): ConnectionEvent {
    if ('reason' in answer) return fail(answer);
    // Nobody waits for this one any more: a conversation that changed under the visitor's hands would be worse.
    if (signal.aborted) return fail();
    credentials.set(answer);
    options.onSession(stored);
    return READY;
  }

  async function create(signal: AbortSignal): Promise<ConnectionEvent> {
    const { platform, deviceType: device_type, streaming = true } = chat;
    turns = turns?.close();
    // What is undefined is left out of the JSON.
    const body = { platform, device_type, streaming };
    return accept(await requestGrant(options, '/v1/session', body, signal), null, signal);
  }

  const probe = ({ session_id, access_token }: SessionGrant, signal: AbortSignal): Promise<ProxyAnswer> =>
    callProxy(options, '/v1/probe', { session_id, access_token }, signal);

  /** Source: ST-1. */
  async function resumeOrCreate(signal: AbortSignal): Promise<ConnectionEvent> {
    const stored = storage.restored;
    if (isFresh(stored, ports.clock.now())) {
      // Words that wait for their first session: there is nothing to resume, and they stay until it is there.
      if (stored.resumeTicket === '') return create(signal);
      const answer = await credentials.resume(stored.resumeTicket, signal);
      // Whether the token is still good (ST-1) the proxy has judged, by a clock that is right.
      if (!('reason' in answer) || answer.reason !== 'session_expired') {
        if (stored.turns) await takeTurns(signal, stored);
        return accept(answer, stored, signal);
      }
    }
    if (stored) storage.clear();
    return create(signal);
  }

  async function request(kind: SessionRequest, signal: AbortSignal): Promise<ConnectionEvent> {
    if (kind === 'renew') {
      credentials.set(null);
      storage.clear();
      return create(signal);
    }
    const { grant } = credentials;
    if (!grant) return resumeOrCreate(signal);
    // Turns go on when the session and its token are long over.
    if (turns?.isInUse || (kind === 'start' && !credentials.isTokenExpired())) {
      // Browsers write the address of a socket that could not be opened, and with it the token, to their console. So it is
      // asked first, without a token, whether there is anybody to open it to.
      return (await isUp()) ? READY : fail();
    }
    // The handshakes failed, or will because the token has run out (TOK-4). Only a platform that answers can refuse,
    // and a session must not be lost to an outage (CON-3): the pair stays until another one is in hand.
    const { fields, delayMs } = await probe(grant, signal);
    const { handshake, status, reason, has_chat } = fields;
    // No socket has opened with this session yet, so none will with another: it is this page that the platform refuses.
    const isUntried = options.current().transcript.cursor === 0;
    if (reason === 'origin' || (handshake === 'refused' && isUntried && status === 401)) {
      // Whoever tries again, after it was mended perhaps, gets another.
      credentials.set(null);
      return fail({ reason: 'host_not_registered', mayComeBack: false });
    }
    if (handshake === 'refused' || (handshake === 'unknown' && !isUntried)) return create(signal);
    // The proxy gets through and this browser does not: something on the way keeps sockets from it.
    if (handshake === 'accepted' && (kind === 'start' || (has_chat && (await takeTurns(signal)))))
      return READY;
    return { ...fail(), ...(handshake === 'busy' && { delayMs }) };
  }

  return {
    ticket,
    ticketDueAtMs,
    revoke,
    whenRevoked,
    submitContext,
    identity: () =>
      credentials.grant && {
        sessionId: credentials.grant.session_id,
        resumeTicket: credentials.storedTicket(),
        ...(turns && { turns: turns.kept() }),
      },
    vocabulary() {
      const { grant } = credentials;
      return chat.vocabulary ?? (grant ? defaultVocabulary(new URL(grant.websocket_url).host) : 'neutral');
    },
    socketUrl,
    isTurnBased: () => turns?.isInUse === true,
    openTurns: (events) => turns?.open(events),
    obtain: (kind) => request(kind, stop()),
    renewTicket: () => credentials.renewTicket(life.signal),
    async trySocket() {
      const { grant } = credentials;
      if (!grant) return null;
      const { websocket_url: url } = grant;
      const { fields } = await probe(grant, new AbortController().signal);
      const { handshake = '', status, reason = '', fault = '' } = fields;
      return {
        url,
        handshake: `${handshake}`,
        status: Number(status) || 0,
        reason: `${reason}`,
        fault: `${fault}`,
      };
    },
    stop,
    forget() {
      stop();
      turns = turns?.close();
      credentials.set(null);
    },
  };
}
