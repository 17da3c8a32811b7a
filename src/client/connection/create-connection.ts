import {
  type Capabilities,
  CLOSE_CODES,
  type ClientEvent,
  type DecodedFrame,
  LIMITS,
  type Vocabulary,
} from '../../protocol/index.ts';
import type { ConnectionStatus } from '../chat-state.ts';
import { oneAtATime } from '../one-at-a-time.ts';
import type { ClientPorts } from '../ports.ts';
import type { Sessions } from '../session/create-sessions.ts';
import { createTimer } from '../timer.ts';
import type { ConnectionEvent, ConnectionState } from './connection-state.ts';
import { createGuardedSocketClass } from './guarded-socket.ts';
import { createHeartbeat } from './heartbeat.ts';
import { createSocketTransport } from './socket-transport.ts';
import { INITIAL_CONNECTION, transition } from './transition.ts';
import type { Transport, TransportEvents } from './transport.ts';

export interface ConnectionOptions {
  readonly ports: Pick<ClientPorts, 'clock' | 'random' | 'environment' | 'WebSocket'>;
  readonly sessions: Pick<Sessions, 'obtain' | 'socketUrl' | 'isTurnBased' | 'openTurns'>;
  /** What the platform says it can do, as far as is known now. Source: messaging.md 10. */
  readonly capabilities: () => Pick<Capabilities, 'max_reconnect_attempts' | 'heartbeat_interval_seconds'>;
  readonly vocabulary: () => Vocabulary;
  readonly sendHeartbeat: () => void;
  readonly onStatus: (status: ConnectionStatus) => void;
  /** One frame of the platform; `text` is the same for inspectors. */
  readonly onFrame: (frame: DecodedFrame, text: string) => void;
  /** The platform closed with 1000. */
  readonly onEnded: () => void;
  /** A heartbeat is due, or the page is looked at again; told before anything else is done about it. */
  readonly onCheck: () => void;
}

/** A connection that finds its own way back. */
export interface Connection {
  /** Lets the machine look at an event and does what it says. Events that come up meanwhile wait their turn. */
  dispatch(event: ConnectionEvent): void;
  /** Somebody looks again, or over another network: whatever waits goes on at once, and an open socket has to give a sign of life. */
  wake(): void;
  /** Sends one event; false when no connection is open. */
  send(event: ClientEvent): boolean;
  /** Closes at once and lets go of every timer and listener. */
  destroy(): void;
}

/** The code that closes the connection which this step leaves. Source: messaging.md 4.5. */
function leavingCode({ step, request }: ConnectionState): number {
  if (step === 'closed') return CLOSE_CODES.normal;
  return step === 'session' && request === 'start' ? CLOSE_CODES.replaced : CLOSE_CODES.applicationError;
}

/**
 * Takes the steps of the connection's transition over transports and timers. Ignores late events of a transport that was
 * left, and late answers to a step that is over.
 */
export function createConnection(options: ConnectionOptions): Connection {
  const { ports, sessions, capabilities, onCheck } = options;
  const { clock, environment } = ports;
  const Socket = createGuardedSocketClass(ports.WebSocket);
  const timer = createTimer(clock);
  const heartbeat = createHeartbeat({
    clock,
    capabilities,
    send: options.sendHeartbeat,
    onCheck,
    onDeaf: breakOff,
  });
  let state = INITIAL_CONNECTION;
  let transport: Transport | null = null;
  /** The transport was started and has not closed. */
  let isStarted = false;
  let isSocket = false;

  const isOpen = (): boolean => state.step === 'open';

  const dispatch = oneAtATime((event: ConnectionEvent): void => {
    const before = state;
    state = transition(before, event, {
      nowMs: clock.now(),
      random: ports.random(),
      isOnline: environment.isOnline(),
      budget: capabilities().max_reconnect_attempts ?? LIMITS.assumedReconnectAttempts,
    });
    if (state === before) return;
    const { step, shown, delayMs } = state;
    heartbeat.stop();
    if (shown !== before.shown) options.onStatus(shown);
    timer.clear();
    if (delayMs > 0) timer.set(delayMs, () => dispatch({ type: 'timer' }));
    if (step === 'open') heartbeat.start();
    else if (step === 'closing') transport?.stop(CLOSE_CODES.normal);
    else {
      // A transport that closed by itself is started again, unless this is the end.
      if (isStarted || step === 'closed' || step === 'failed') leave(leavingCode(state));
      if (step === 'session') void obtain(state);
      if (step === 'socket') open();
    }
  });

  async function obtain(own: ConnectionState): Promise<void> {
    const event = await sessions.obtain(own.request);
    if (own === state) dispatch(event);
  }

  function open(): void {
    if (!isSocket || sessions.isTurnBased()) leave(CLOSE_CODES.normal);
    transport ??= createTransport();
    isStarted = true;
    transport.start();
  }

  function createTransport(): Transport {
    const isCurrent = (): boolean => own === transport;
    const events: TransportEvents = {
      onOpen: () => isCurrent() && dispatch({ type: 'socket_opened' }),
      onFrame: (frame, text) => isCurrent() && read(frame, text),
      onUnreadable: () => isCurrent() && breakOff(),
      onClose: (code) => isCurrent() && onClose(code),
    };
    const turns = sessions.openTurns(events);
    isSocket = !turns;
    const { socketUrl: url } = sessions;
    const own = turns ?? createSocketTransport({ Socket, url, vocabulary: options.vocabulary }, events);
    return own;
  }

  function leave(code: number): void {
    isStarted = false;
    transport?.stop(code);
    transport = null;
  }

  function onClose(code: number): void {
    isStarted = false;
    // Asked for when this end is closing.
    const isEnd = code === CLOSE_CODES.normal && state.step !== 'closing';
    dispatch({ type: 'socket_closed', code });
    if (isEnd) options.onEnded();
  }

  function read(frame: DecodedFrame, text: string): void {
    heartbeat.noteFrame();
    options.onFrame(frame, text);
    heartbeat.followPace();
  }

  /** Nothing comes in any more, or something that is not the protocol. */
  function breakOff(): void {
    dispatch({ type: 'socket_closed', code: CLOSE_CODES.applicationError });
  }

  function wake(): void {
    onCheck();
    // Timers sleep in hidden pages: ask for a sign of life out of turn.
    heartbeat.probe();
    dispatch({ type: 'woke' });
  }

  const stopListening = environment.onChange((change) => {
    if (change === 'offline') dispatch({ type: change });
    // A socket of the network before may be dead without a word.
    else if (change === 'visible' || change === 'online') wake();
  });

  return {
    dispatch,
    wake,
    send: (event) => isOpen() && transport?.send(event) === true,
    destroy() {
      dispatch({ type: 'disconnect', isImmediate: true });
      stopListening();
    },
  };
}
