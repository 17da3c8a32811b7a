import { CLOSE_CODES, LIMITS } from '../../protocol/index.ts';
import type { ConnectionStatus, FailureReason } from '../chat-state.ts';
import type { ClientPorts } from '../ports.ts';
import {
  type ConnectionEffect,
  type ConnectionEvent,
  type ConnectionState,
  type SessionRequest,
  toConnectionStatus,
} from './connection-state.ts';
import { Heartbeat } from './heartbeat.ts';
import { INITIAL_CONNECTION, transition } from './transition.ts';

/** What became of a request for the pair of session and token. */
export type ObtainOutcome =
  | { readonly status: 'ready' }
  | {
      readonly status: 'failed';
      readonly reason: FailureReason;
      readonly mayComeBack: boolean;
      readonly keepsPair: boolean;
    };

export interface ConnectionDriverOptions {
  readonly ports: Pick<ClientPorts, 'clock' | 'random' | 'environment' | 'WebSocket'>;
  /** Never rejects; requests of one kind may share a flight. */
  readonly obtainSession: (request: SessionRequest) => Promise<ObtainOutcome>;
  /** Called for every attempt, so that token and cursor are always the newest. */
  readonly socketUrl: () => string;
  readonly sendHeartbeat: () => void;
  readonly onStatus: (status: ConnectionStatus, previous: ConnectionStatus) => void;
  readonly onOpened: () => void;
  readonly onText: (text: string) => void;
  /** The platform closed with 1000. */
  readonly onEnded: () => void;
  readonly onHeartbeatTick: () => void;
  /** The page is looked at again; asked before anything else is done about it. */
  readonly onVisible: () => void;
}

/** How long a handshake may take. */
const OPENING_MS = 15_000;
/** `readyState` of a socket that can be written to; the port's class need not carry the constant. */
const OPEN = 1;

/** Runs the effects of the connection's transition over sockets and timers. Everything late is dropped by epoch. */
export class ConnectionDriver {
  readonly #options: ConnectionDriverOptions;
  readonly #heartbeat: Heartbeat;
  readonly #stopListening: () => void;
  #state: ConnectionState = INITIAL_CONNECTION;
  readonly #queue: ConnectionEvent[] = [];
  #epoch = 0;
  #socket: WebSocket | null = null;
  #cancelTimer: (() => void) | null = null;
  #cancelSocketTimer: (() => void) | null = null;
  #heartbeatMs: number = LIMITS.defaultHeartbeatIntervalSeconds * 1000;

  constructor(options: ConnectionDriverOptions) {
    this.#options = options;
    this.#heartbeat = new Heartbeat({
      clock: options.ports.clock,
      send: options.sendHeartbeat,
      onDeaf: () => this.dispatch({ type: 'socket_broken' }),
      onTick: options.onHeartbeatTick,
    });
    this.#stopListening = options.ports.environment.onChange((change) => {
      if (change === 'hidden') return;
      if (change === 'visible') options.onVisible();
      if (change === 'visible' && this.isOpen) this.#heartbeat.probe();
      this.dispatch({ type: change });
    });
  }

  get isOpen(): boolean {
    return this.#state.phase.status === 'open';
  }

  get status(): ConnectionStatus {
    return toConnectionStatus(this.#state.phase);
  }

  /** Lets the machine look at an event and does what it says. Events that come up meanwhile wait their turn. */
  dispatch(event: ConnectionEvent): void {
    this.#queue.push(event);
    if (this.#queue.length > 1) return;
    for (let next = this.#queue[0]; next; next = this.#queue[0]) {
      this.#take(next);
      this.#queue.shift();
    }
  }

  #take(event: ConnectionEvent): void {
    const { clock, random, environment } = this.#options.ports;
    const previous = this.#state.phase;
    const { state, effects } = transition(this.#state, event, {
      nowMs: clock.now(),
      random: random(),
      isOnline: environment.isOnline(),
    });
    this.#state = state;
    if (previous.status === 'open' && state.phase.status !== 'open') this.#heartbeat.stop();
    if (previous !== state.phase) {
      this.#options.onStatus(toConnectionStatus(state.phase), toConnectionStatus(previous));
    }
    for (const effect of effects) this.#run(effect);
  }

  /** Writes one frame; false when there is no open socket. */
  send(text: string): boolean {
    const socket = this.#socket;
    if (!this.isOpen || socket?.readyState !== OPEN) return false;
    socket.send(text);
    return true;
  }

  /** The platform's pace for heartbeats in milliseconds; 0 for none. Source: HB-1. */
  setHeartbeatInterval(intervalMs: number): void {
    if (intervalMs === this.#heartbeatMs) return;
    this.#heartbeatMs = intervalMs;
    if (this.isOpen) this.#heartbeat.start(intervalMs);
  }

  /** Closes at once and lets go of every timer and listener. */
  destroy(): void {
    this.dispatch({ type: 'disconnect', isImmediate: true });
    this.#stopListening();
    this.#endEpoch();
  }

  #run(effect: ConnectionEffect): void {
    const { clock } = this.#options.ports;
    switch (effect.type) {
      case 'obtain_session':
        this.#obtain(effect.request);
        return;
      case 'open_socket':
        this.#open();
        return;
      case 'drop_socket': {
        const socket = this.#socket;
        this.#endEpoch();
        socket?.close(effect.code);
        return;
      }
      case 'close_socket':
        this.#socket?.close(effect.code);
        return;
      case 'set_timer':
        this.#cancelTimer?.();
        this.#cancelTimer = clock.setTimer(() => this.dispatch({ type: 'timer' }), effect.delayMs);
        return;
      case 'clear_timer':
        this.#cancelTimer?.();
        this.#cancelTimer = null;
        return;
      case 'report_end':
        this.#options.onEnded();
        return;
    }
  }

  /** From here on, whatever the last socket or session request still says is late. */
  #endEpoch(): number {
    this.#cancelSocketTimer?.();
    this.#cancelSocketTimer = null;
    this.#socket = null;
    this.#epoch += 1;
    return this.#epoch;
  }

  #obtain(request: SessionRequest): void {
    const epoch = this.#endEpoch();
    void this.#options.obtainSession(request).then((outcome) => {
      if (epoch !== this.#epoch) return;
      if (outcome.status === 'ready') this.dispatch({ type: 'session_ready' });
      else {
        const { reason, mayComeBack, keepsPair } = outcome;
        this.dispatch({ type: 'session_failed', reason, mayComeBack, keepsPair });
      }
    });
  }

  #open(): void {
    const { clock, WebSocket } = this.#options.ports;
    const url = this.#options.socketUrl();
    const epoch = this.#endEpoch();
    const close = (code: number): void => {
      this.#endEpoch();
      this.dispatch({ type: 'socket_closed', code });
    };
    let socket: WebSocket;
    try {
      socket = new WebSocket(url);
    } catch {
      // A content security policy, or no sockets at all. The error's text may hold the address with the
      // token, so only the fact that it failed is passed on.
      close(CLOSE_CODES.abnormal);
      return;
    }
    this.#socket = socket;
    const hear = <Type extends keyof WebSocketEventMap>(
      type: Type,
      act: (event: WebSocketEventMap[Type]) => void,
    ): void =>
      socket.addEventListener(type, (event) => {
        if (epoch === this.#epoch) act(event);
      });
    hear('open', () => this.#opened());
    hear('message', ({ data }: MessageEvent<unknown>) => {
      // Only text frames exist; ENV-6 asks for 4002 and a reconnect.
      if (typeof data !== 'string') {
        this.dispatch({ type: 'socket_broken' });
        return;
      }
      this.#heartbeat.hear();
      this.#options.onText(data);
    });
    hear('close', ({ code }) => close(code));
    this.#cancelSocketTimer = clock.setTimer(() => {
      close(CLOSE_CODES.abnormal);
      socket.close(CLOSE_CODES.applicationError);
    }, OPENING_MS);
  }

  #opened(): void {
    this.#cancelSocketTimer?.();
    this.#cancelSocketTimer = this.#options.ports.clock.setTimer(
      () => this.dispatch({ type: 'socket_aged' }),
      LIMITS.maxSocketAgeMs,
    );
    this.dispatch({ type: 'socket_opened' });
    this.#heartbeat.start(this.#heartbeatMs);
    this.#options.onOpened();
  }
}
