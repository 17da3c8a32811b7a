import {
  type Capabilities,
  CLOSE_CODES,
  type ClientEvent,
  LIMITS,
  type Vocabulary,
} from '../../protocol/index.ts';
import type { ConnectionStatus } from '../chat-state.ts';
import { oneAtATime } from '../one-at-a-time.ts';
import type { ClientPorts } from '../ports.ts';
import type { Sessions } from '../session/sessions.ts';
import { createTimer, type Timer } from '../timer.ts';
import type { ConnectionEvent, ConnectionState } from './connection-state.ts';
import { createGuardedSocketClass } from './guarded-socket.ts';
import { createHeartbeat, type Heartbeat } from './heartbeat.ts';
import { createSocketTransport } from './socket-transport.ts';
import { INITIAL_CONNECTION, transition } from './transition.ts';
import type { ReceivedFrame, Transport, TransportEvents } from './transport.ts';

export interface ConnectionOptions {
  readonly ports: Pick<ClientPorts, 'clock' | 'random' | 'environment' | 'nextPaint' | 'WebSocket'>;
  readonly sessions: Pick<Sessions, 'obtain' | 'socketUrl' | 'isTurnBased' | 'openTurns'>;
  /** The platform's capabilities, as far as known. Source: messaging.md 10. */
  readonly capabilities: () => Pick<Capabilities, 'max_reconnect_attempts' | 'heartbeat_interval_seconds'>;
  readonly vocabulary: () => Vocabulary;
  readonly sendHeartbeat: () => void;
  readonly onStatus: (status: ConnectionStatus) => void;
  /** Whether the history was read, so that frames are shown as they arrive. */
  readonly isLive: () => boolean;
  readonly onFrames: TransportEvents['onFrames'];
  /** The platform closed with 1000. */
  readonly onEnded: () => void;
  /** Called first when a heartbeat is due or the page becomes visible. */
  readonly onCheck: () => void;
}

/** Close code for the connection that this step leaves. Source: messaging.md 4.5. */
function leavingCode({ step, request }: ConnectionState): number {
  if (step === 'closed') return CLOSE_CODES.normal;
  return step === 'session' && request === 'start' ? CLOSE_CODES.replaced : CLOSE_CODES.applicationError;
}

/** Responses to something this end has sent. Source: ECH-1, section 12. */
const ANSWERS = /USER_(MESSAGE|END)|HEARTBEAT|JOIN|FEEDBACK|CSAT|SYSTEM/;

const isAnswer = ({ frame }: ReceivedFrame): boolean =>
  frame.kind === 'events' && frame.events.some(({ type }) => ANSWERS.test(type));

/**
 * A self-recovering connection: runs the steps of the connection's transition over transports and timers. Ignores late
 * events of a previous transport, and late responses to a previous step.
 */
export class Connection {
  /** Runs the state machine with an event, and its effects. Events that arise meanwhile are queued. */
  readonly dispatch: (event: ConnectionEvent) => void = oneAtATime((event) => this.#handle(event));
  readonly #options: ConnectionOptions;
  readonly #Socket: ReturnType<typeof createGuardedSocketClass>;
  readonly #timer: Timer;
  readonly #heartbeat: Heartbeat;
  readonly #stopListening: () => void;
  #state: ConnectionState = INITIAL_CONNECTION;
  #transport: Transport | null = null;
  /** The transport was started and has not closed. */
  #isStarted = false;
  #isSocket = false;

  constructor(options: ConnectionOptions) {
    const { ports, capabilities, onCheck, sendHeartbeat } = options;
    const { clock, environment } = ports;
    this.#options = options;
    this.#Socket = createGuardedSocketClass(ports.WebSocket);
    this.#timer = createTimer(clock);
    this.#heartbeat = createHeartbeat({
      clock,
      capabilities,
      send: sendHeartbeat,
      onCheck,
      onSilent: () => this.#breakOff(),
    });
    this.#stopListening = environment.onChange((change) => {
      if (change === 'offline') this.dispatch({ type: change });
      // A socket of the previous network may be dead without an event.
      else if (change === 'visible' || change === 'online') this.wake();
    });
  }

  /** The page is visible again or the network has changed: retries at once, and checks an open socket with a heartbeat. */
  wake(): void {
    this.#options.onCheck();
    // Timers are throttled in hidden pages, so a heartbeat is sent at once.
    this.#heartbeat.probe();
    this.dispatch({ type: 'woke' });
  }

  /** Sends one event; false when no connection is open. */
  send(event: ClientEvent): boolean {
    const isSent = this.#state.step === 'open' && this.#transport?.send(event) === true;
    // In turns over HTTPS each request has its own response or time limit.
    if (isSent && this.#isSocket && event.type !== 'EVENT_TYPE_USER_TYPING') this.#heartbeat.awaitAnswer();
    return isSent;
  }

  /** Closes at once and releases every timer and listener. */
  destroy(): void {
    this.dispatch({ type: 'disconnect', isImmediate: true });
    this.#stopListening();
  }

  #handle(event: ConnectionEvent): void {
    const { ports, capabilities, onStatus } = this.#options;
    const before = this.#state;
    this.#state = transition(before, event, {
      nowMs: ports.clock.now(),
      random: ports.random(),
      isOnline: ports.environment.isOnline(),
      budget: capabilities().max_reconnect_attempts ?? LIMITS.assumedReconnectAttempts,
    });
    if (this.#state === before) return;
    const { step, shown, delayMs } = this.#state;
    this.#heartbeat.stop();
    if (shown !== before.shown) onStatus(shown);
    this.#timer.clear();
    if (delayMs > 0) this.#timer.set(delayMs, () => this.dispatch({ type: 'timer' }));
    if (step === 'open') this.#heartbeat.start();
    else if (step === 'closing') this.#transport?.stop(CLOSE_CODES.normal);
    else {
      // A transport that closed unexpectedly is restarted, unless the connection ends.
      if (this.#isStarted || step === 'closed' || step === 'failed') this.#leave(leavingCode(this.#state));
      if (step === 'session') void this.#obtain(this.#state);
      if (step === 'socket') this.#open();
    }
  }

  async #obtain(own: ConnectionState): Promise<void> {
    const event = await this.#options.sessions.obtain(own.request);
    if (own === this.#state) this.dispatch(event);
  }

  #open(): void {
    if (!this.#isSocket || this.#options.sessions.isTurnBased()) this.#leave(CLOSE_CODES.normal);
    this.#transport ??= this.#createTransport();
    this.#isStarted = true;
    this.#transport.start();
  }

  #createTransport(): Transport {
    const { sessions, vocabulary, ports, isLive } = this.#options;
    const isCurrent = (): boolean => own === this.#transport;
    const events: TransportEvents = {
      onOpen: () => isCurrent() && this.dispatch({ type: 'socket_opened' }),
      onFrames: (frames) => isCurrent() && this.#read(frames),
      onUnreadable: () => isCurrent() && this.#breakOff(),
      onClose: (code) => isCurrent() && this.#onClose(code),
    };
    const turns = sessions.openTurns(events);
    this.#isSocket = !turns;
    const { socketUrl: url } = sessions;
    const isPaced = (): boolean => isLive() && ports.environment.isVisible();
    const { nextPaint } = ports;
    const options = { Socket: this.#Socket, url, vocabulary, nextPaint, isPaced };
    const own = turns ?? createSocketTransport(options, events);
    return own;
  }

  #leave(code: number): void {
    this.#isStarted = false;
    this.#transport?.stop(code);
    this.#transport = null;
  }

  #onClose(code: number): void {
    this.#isStarted = false;
    // Expected while this end is closing.
    const isEnd = code === CLOSE_CODES.normal && this.#state.step !== 'closing';
    this.dispatch({ type: 'socket_closed', code });
    if (isEnd) this.#options.onEnded();
  }

  #read(frames: readonly ReceivedFrame[]): void {
    this.#heartbeat.noteFrame(frames.some(isAnswer));
    this.#options.onFrames(frames);
    this.#heartbeat.followPace();
  }

  /** The platform is silent, or sends frames outside of the protocol. */
  #breakOff(): void {
    this.dispatch({ type: 'socket_closed', code: CLOSE_CODES.applicationError });
  }
}
