import { type Capabilities, CLOSE_CODES, LIMITS } from '../../protocol/index.ts';
import type { ConnectionStatus } from '../chat-state.ts';
import { oneAtATime } from '../one-at-a-time.ts';
import type { ClientPorts } from '../ports.ts';
import type { Sessions } from '../session/create-sessions.ts';
import { createTimer } from '../timer.ts';
import type { ConnectionEvent, ConnectionState } from './connection-state.ts';
import { INITIAL_CONNECTION, transition } from './transition.ts';

export interface ConnectionOptions {
  readonly ports: Pick<ClientPorts, 'clock' | 'random' | 'environment' | 'WebSocket'>;
  readonly sessions: Pick<Sessions, 'obtain' | 'socketUrl' | 'openTurns'>;
  /** What the platform says it can do, as far as is known now. Source: messaging.md 10. */
  readonly capabilities: () => Pick<Capabilities, 'max_reconnect_attempts' | 'heartbeat_interval_seconds'>;
  readonly sendHeartbeat: () => void;
  readonly onStatus: (status: ConnectionStatus) => void;
  readonly onText: (text: string) => void;
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
  /** Writes one frame; false when there is no open socket. */
  send(text: string): boolean;
  /** Closes at once and lets go of every timer and listener. */
  destroy(): void;
}

/** How long a page that was hidden waits for a sign of life before it gives up on its socket. */
const PROBE_MS = 10_000;
/** `readyState` of a socket that can be written to; the port's class need not carry the constant. */
const OPEN = 1;

/** What a socket is closed with that is left behind by this step. Source: messaging.md 4.5. */
function leavingCode({ step, request }: ConnectionState): number {
  if (step === 'closed') return CLOSE_CODES.normal;
  return step === 'session' && request === 'start' ? CLOSE_CODES.replaced : CLOSE_CODES.applicationError;
}

/**
 * Takes the steps of the connection's transition over sockets and timers. What comes of a socket that was left, or of
 * a step that is over, is late and dropped.
 */
export function createConnection(options: ConnectionOptions): Connection {
  const { ports, sessions, capabilities, onCheck } = options;
  const { clock, environment, WebSocket } = ports;
  const timer = createTimer(clock);
  const beatTimer = createTimer(clock);
  const deafTimer = createTimer(clock);
  let state = INITIAL_CONNECTION;
  let socket: WebSocket | null = null;
  /** The platform's pace for heartbeats, as it was when they began; 0 for none. Source: HB-1. */
  let beatMs = 0;

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
    beatTimer.clear();
    deafTimer.clear();
    if (shown !== before.shown) options.onStatus(shown);
    timer.clear();
    if (delayMs > 0) timer.set(delayMs, () => dispatch({ type: 'timer' }));
    if (step === 'open') awaitBeat();
    else if (step === 'closing') socket?.close(CLOSE_CODES.normal);
    else {
      // A socket that closed by itself does not mind. Browsers print the address of one that is closed while it is connecting
      // (`readyState` 0), and with it the token: where no other follows, which it would be in the way of, it is left to open and
      // closed then (TOK-8).
      if (step !== 'closed' || socket?.readyState) socket?.close(leavingCode(state));
      socket = null;
      if (step === 'session') void obtain(state);
      if (step === 'socket') open();
    }
  });

  async function obtain(own: ConnectionState): Promise<void> {
    const event = await sessions.obtain(own.request);
    if (own === state) dispatch(event);
  }

  function open(): void {
    const onClose = (code: number): void => {
      // Asked for when this end is closing.
      const isEnd = code === CLOSE_CODES.normal && state.step !== 'closing';
      dispatch({ type: 'socket_closed', code });
      if (isEnd) options.onEnded();
    };
    const fail = (): void => onClose(CLOSE_CODES.abnormal);
    try {
      socket = sessions.openTurns() ?? new WebSocket(sessions.socketUrl());
    } catch {
      // A content security policy, or no sockets at all. The error's text may hold the address with the
      // token, so only the fact that it failed is passed on.
      fail();
      return;
    }
    const opening = socket;
    const hear = <Type extends keyof WebSocketEventMap>(
      type: Type,
      act: (event: WebSocketEventMap[Type]) => void,
    ): void =>
      opening.addEventListener(type, (event) => {
        if (opening === socket) act(event);
      });
    opening.addEventListener('open', () =>
      opening === socket ? dispatch({ type: 'socket_opened' }) : opening.close(CLOSE_CODES.normal),
    );
    hear('message', ({ data }: MessageEvent<unknown>) => {
      // Only text frames exist; ENV-6 asks for 4002 and a reconnect.
      if (typeof data !== 'string') {
        breakOff();
        return;
      }
      deafTimer.clear();
      options.onText(data);
      // It may have named another pace.
      if (isOpen() && beatMs !== paceMs()) awaitBeat();
    });
    hear('close', ({ code }) => onClose(code));
    // A socket that a policy forbids has an error in Chromium and no end.
    hear('error', () => isOpen() || fail());
  }

  /** The socket is deaf, or spoke something that is not the protocol. */
  function breakOff(): void {
    dispatch({ type: 'socket_closed', code: CLOSE_CODES.applicationError });
  }

  function paceMs(): number {
    const seconds = capabilities().heartbeat_interval_seconds ?? -1;
    return 1000 * (seconds < 0 ? LIMITS.defaultHeartbeatIntervalSeconds : seconds);
  }

  function awaitBeat(): void {
    beatMs = paceMs();
    beatTimer.clear();
    if (beatMs === 0) return;
    const dueMs = clock.now() + beatMs;
    beatTimer.set(beatMs, () => {
      // A machine that slept wakes up with a socket that may have died meanwhile.
      const patienceMs = clock.now() - dueMs > PROBE_MS ? PROBE_MS : beatMs * 1.5;
      awaitBeat();
      onCheck();
      // The check may have ended the chat, and the beating with it.
      if (beatTimer.isSet) beat(patienceMs);
    });
  }

  /**
   * After a beat something has to come in, or the socket has gone deaf. Any frame counts, since any frame
   * proves the way in. Source: HB-1.
   */
  function beat(patienceMs: number): void {
    options.sendHeartbeat();
    if (!deafTimer.isSet) deafTimer.set(patienceMs, breakOff);
  }

  function wake(): void {
    onCheck();
    // Timers sleep in hidden pages: ask for a sign of life out of turn.
    if (beatTimer.isSet) beat(PROBE_MS);
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
    send(text) {
      if (!isOpen() || socket?.readyState !== OPEN) return false;
      socket.send(text);
      return true;
    },
    destroy() {
      dispatch({ type: 'disconnect', isImmediate: true });
      stopListening();
    },
  };
}
