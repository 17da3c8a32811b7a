import { defaultVocabulary, type FeedbackPayload, type Vocabulary } from '../../protocol/index.ts';
import type { ChatClientOptions, ChatDiagnosis, ContactDetails } from '../chat-client.ts';
import type { ConnectionEvent, SessionRequest } from '../connection/connection-state.ts';
import type { Transport, TransportEvents } from '../connection/transport.ts';
import { type Conversation, STATE_VERSION } from '../conversation/conversation-state.ts';
import type { RestFallback } from '../fallback/rest-fallback.ts';
import type { ClientPorts } from '../ports.ts';
import { retryImport } from '../retry-import.ts';
import type { ConversationStorage } from '../storage/conversation-storage.ts';
import { isFresh, type StoredConversation, type StoredFallback } from '../storage/stored-conversation.ts';
import { Credentials, reference } from './credentials.ts';
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
  /** `restored` is the conversation to resume. */
  readonly storage: Pick<ConversationStorage, 'restored' | 'isUsed' | 'clear'>;
  readonly current: () => Conversation;
  /** Called when the stored state of a conversation in turns has changed. */
  readonly onTurn: () => void;
  /** Called with a new session, or with the stored conversation when its session was resumed. */
  readonly onSession: (stored: StoredConversation | null) => void;
}

/** The storable part of a session. */
export interface StoredIdentity {
  readonly sessionId: string;
  readonly resumeTicket: string;
  readonly turns?: StoredFallback;
}

const READY: ConnectionEvent = { type: 'session_ready' };
const UNREACHED: Fault = readFault(0);

/** Obtains and holds the credentials of a session. */
export class Sessions {
  readonly credentials: Credentials;
  readonly #options: SessionsOptions;
  /** Aborts all running requests. */
  #requests = new AbortController();
  #turns: RestFallback | undefined;

  constructor(options: SessionsOptions) {
    this.#options = options;
    this.credentials = new Credentials(options);
  }

  /** The storable part of the credentials, and of turns; `null` without a session. */
  identity(): StoredIdentity | null {
    const { grant } = this.credentials;
    return (
      grant && {
        sessionId: grant.session_id,
        resumeTicket: this.credentials.storedTicket(),
        ...(this.#turns && { turns: this.#turns.kept() }),
      }
    );
  }

  /** Source: V-4. */
  vocabulary(): Vocabulary {
    const { grant } = this.credentials;
    const { vocabulary } = this.#options.chat;
    if (vocabulary || !grant) return vocabulary ?? 'neutral';
    // The name of a relayed host is unknown here.
    if (grant.relay_ticket) return grant.vocabulary === 'poly' ? 'poly' : 'neutral';
    return defaultVocabulary(new URL(grant.websocket_url).host);
  }

  /**
   * Address of the next socket; without a cursor, the conversation's own is used. Contains the token, so it must only
   * be used for the socket. An arrow function, because transports keep it. Source: messaging.md 4.1.
   */
  readonly socketUrl = (cursor: number = this.#options.current().transcript.cursor): string =>
    this.credentials.socketUrl(cursor);

  /** Whether the conversation is held in turns instead of over a socket. */
  isTurnBased(): boolean {
    return this.#turns?.isInUse === true;
  }

  /** Opens the transport for a network that blocks sockets; undefined while sockets may work. */
  openTurns(events: TransportEvents): Transport | undefined {
    return this.#turns?.open(events);
  }

  /** Never rejects. Replaces an earlier request. */
  obtain(request: SessionRequest): Promise<ConnectionEvent> {
    return this.#request(request, this.stop());
  }

  renewTicket(): Promise<void> {
    return this.credentials.renewTicket(this.#requests.signal);
  }

  /** Further features of the token proxy, by name. */
  offers(): readonly string[] {
    const offers = this.credentials.grant?.offers;
    return Array.isArray(offers) ? offers.filter((name) => typeof name === 'string') : [];
  }

  /** Sends a contact request to the proxy. Never rejects. */
  async requestContact(details: ContactDetails): Promise<'sent' | 'refused' | 'failed'> {
    const { status } = await this.credentials.requestContact(details, this.#requests.signal);
    if (status >= 200 && status < 300) return 'sent';
    return status === 400 ? 'refused' : 'failed';
  }

  /** Sends a rating to the proxy. Resolves with true when it was accepted, with `null` without a response. */
  async giveFeedback(feedback: FeedbackPayload): Promise<boolean | null> {
    const { status } = await this.credentials.giveFeedback(feedback, this.#requests.signal);
    // An unavailable or busy proxy is called again, like the platform.
    return status === 0 || status === 429 || status >= 500 ? null : status < 300;
  }

  /** Lets the proxy test the session's socket, for diagnostics; `null` while there is no session. Never rejects. */
  async trySocket(): Promise<ChatDiagnosis['socket']> {
    const { grant } = this.credentials;
    if (!grant) return null;
    const { websocket_url: url } = grant;
    const { fields } = await this.#probe(grant, new AbortController().signal);
    const { handshake = '', status, reason = '', fault = '' } = fields;
    return {
      url,
      handshake: `${handshake}`,
      status: Number(status) || 0,
      reason: `${reason}`,
      fault: `${fault}`,
    };
  }

  /** Cancels running requests when the conversation has ended. Returns the signal for further ones. */
  stop(): AbortSignal {
    this.#requests.abort();
    this.#requests = new AbortController();
    return this.#requests.signal;
  }

  /** Stops, and drops the credentials. The storage stays unchanged. */
  forget(): void {
    this.stop();
    this.#turns = this.#turns?.close();
    this.credentials.set(null);
  }

  async #request(kind: SessionRequest, signal: AbortSignal): Promise<ConnectionEvent> {
    if (kind === 'renew') {
      this.credentials.set(null);
      this.#options.storage.clear();
      return this.#create(signal);
    }
    const { grant } = this.credentials;
    if (!grant) return this.#resumeOrCreate(signal);
    // Turns continue long after the session and its token have expired.
    if (this.#turns?.isInUse || (kind === 'start' && !this.credentials.isTokenExpired())) {
      // Browsers log the address of a socket that could not be opened, including the token. So the server is first
      // asked, without a token, whether it is up. A relay reports that with the ticket.
      if (!grant.relay_ticket || this.#turns?.isInUse) return (await this.#isUp()) ? READY : this.#fail();
      const fault = await this.credentials.renewRelayTicket(signal);
      if (!fault) return READY;
      return fault.reason === 'session_expired' ? this.#create(signal) : this.#fail(fault);
    }
    return this.#probeHandshake(kind, grant, signal);
  }

  /**
   * The handshakes failed, or will fail because the token has expired (TOK-4). Only a responding platform can refuse a
   * session, and a session must not be lost to an outage (CON-3), so the credentials stay until there are others.
   */
  async #probeHandshake(
    kind: SessionRequest,
    grant: SessionGrant,
    signal: AbortSignal,
  ): Promise<ConnectionEvent> {
    const { fields, delayMs } = await this.#probe(grant, signal);
    const { handshake, status, reason, has_chat } = fields;
    // No socket has ever opened with this session, so another session would not help: the platform refuses this page.
    const isUntried = this.#options.current().transcript.cursor === 0;
    if (reason === 'origin' || (handshake === 'refused' && isUntried && status === 401)) {
      // The next attempt gets new credentials, because the cause may be fixed by then.
      this.credentials.set(null);
      return this.#fail({ reason: 'host_not_registered', isTemporary: false });
    }
    if (handshake === 'refused' || (handshake === 'unknown' && !isUntried)) return this.#create(signal);
    // The proxy gets through and this browser does not, so something in between blocks sockets.
    if (handshake === 'accepted' && (kind === 'start' || (has_chat && (await this.#switchToTurns(signal)))))
      return READY;
    return { ...this.#fail(), ...(handshake === 'busy' && { delayMs }) };
  }

  /** Source: ST-1. */
  async #resumeOrCreate(signal: AbortSignal): Promise<ConnectionEvent> {
    const { storage, ports } = this.#options;
    const stored = storage.restored;
    if (isFresh(stored, ports.clock.now())) {
      // Texts that wait for their first session: there is nothing to resume, and they stay until it exists.
      if (stored.resumeTicket === '') return this.#create(signal);
      const answer = await this.credentials.resume(stored.resumeTicket, signal);
      // The proxy, whose clock is right, has determined whether the token is still valid (ST-1).
      if (!('reason' in answer) || answer.reason !== 'session_expired') {
        if (stored.turns) await this.#switchToTurns(signal, stored);
        return this.#accept(answer, stored, signal);
      }
    }
    if (stored) storage.clear();
    return this.#create(signal);
  }

  async #create(signal: AbortSignal): Promise<ConnectionEvent> {
    const { platform, deviceType: device_type, streaming = true } = this.#options.chat;
    this.#turns = this.#turns?.close();
    // JSON omits undefined values.
    const body = { platform, device_type, streaming };
    return this.#accept(await requestGrant(this.#options, '/v1/session', body, signal), null, signal);
  }

  #accept(
    answer: SessionGrant | Fault,
    stored: StoredConversation | null,
    signal: AbortSignal,
  ): ConnectionEvent {
    if ('reason' in answer) return this.#fail(answer);
    // The request was replaced. Replacing the conversation while the visitor uses it would be worse.
    if (signal.aborted) return this.#fail();
    this.credentials.set(answer);
    this.#options.onSession(stored);
    return READY;
  }

  #fail(fault: Fault = UNREACHED): ConnectionEvent {
    return { type: 'session_failed', ...fault, hasCredentials: this.credentials.grant !== null };
  }

  #isUp(): Promise<boolean> {
    return isServiceUp(this.#options, this.#requests.signal);
  }

  #probe({ session_id, access_token }: SessionGrant, signal: AbortSignal): Promise<ProxyAnswer> {
    const body = access_token ? { session_id, access_token } : reference(this.credentials.ticket());
    return callProxy(this.#options, '/v1/probe', body, signal);
  }

  /** Switches to turns on a network without sockets. Loads the code only then; false if that fails. */
  async #switchToTurns(signal: AbortSignal, stored?: StoredConversation): Promise<boolean> {
    try {
      const { RestFallback } = await retryImport(() => import('../fallback/rest-fallback.ts'));
      // The request was replaced meanwhile.
      if (signal.aborted) return false;
      if (!this.#turns?.isInUse) {
        this.#turns = new RestFallback({
          ...this.#options,
          call: (path, body) => callProxy(this.#options, path, body, new AbortController().signal),
          isServiceUp: () => this.#isUp(),
          socketUrl: async (cursor) => {
            await this.credentials.renewRelayTicket(new AbortController().signal);
            return this.socketUrl(cursor);
          },
          stored,
          version: STATE_VERSION,
        });
      }
      return true;
    } catch {
      // The network that let the request through did not let the code through.
      return false;
    }
  }
}
