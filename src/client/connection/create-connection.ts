import { CLOSE_CODES, LIMITS } from '../../protocol/index.ts';
import type { ConnectionStatus } from '../chat-state.ts';
import { oneAtATime } from '../one-at-a-time.ts';
import type { ClientPorts } from '../ports.ts';
import { createTimer } from '../timer.ts';
import {
  type ConnectionEffect,
  type ConnectionEvent,
  type SessionRequest,
  toConnectionStatus,
} from './connection-state.ts';
import { INITIAL_CONNECTION, transition } from './transition.ts';

export interface ConnectionOptions {
  readonly ports: Pick<ClientPorts, 'clock' | 'random' | 'environment' | 'WebSocket'>;
  /** Answers with the event that says what became of it. Never rejects; requests of one kind may share a flight. */
  readonly obtainSession: (request: SessionRequest) => Promise<ConnectionEvent>;
  /** Whether it is worth opening a socket again. Never rejects. */
  readonly isServiceUp: () => Promise<boolean>;
  /** Called for every attempt, so that token and cursor are always the newest. */
  readonly socketUrl: () => string;
  /** Something to use instead of a socket; undefined for nothing. */
  readonly openSubstitute?: () => WebSocket | undefined;
  readonly sendHeartbeat: () => void;
  readonly onStatus: (status: ConnectionStatus, previous: ConnectionStatus) => void;
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
  /** The platform's pace for heartbeats in milliseconds; 0 for none. Source: HB-1. */
  setHeartbeatInterval(intervalMs: number): void;
  /** Closes at once and lets go of every timer and listener. */
  destroy(): void;
}

/** How long a handshake may take. */
const OPENING_MS = 15_000;
/** How long a page that was hidden waits for a sign of life before it gives up on its socket. */
const PROBE_MS = 10_000;
/** `readyState` of a socket that can be written to; the port's class need not carry the constant. */
const OPEN = 1;

/** Runs the effects of the connection's transition over sockets and timers. Everything late is dropped by epoch. */
export function createConnection(options: ConnectionOptions): Connection {
  const { clock, random, environment, WebSocket } = options.ports;
  const timer = createTimer(clock);
  /** Of the current socket: the end of its handshake, then the end of its life. */
  const socketTimer = createTimer(clock);
  const beatTimer = createTimer(clock);
  const deafTimer = createTimer(clock);
  let state = INITIAL_CONNECTION;
  let epoch = 0;
  let socket: WebSocket | null = null;
  let intervalMs: number = LIMITS.defaultHeartbeatIntervalSeconds * 1000;

  const isOpen = (): boolean => state.phase.status === 'open';

  const dispatch = oneAtATime((event: ConnectionEvent): void => {
    const { phase } = state;
    const next = transition(state, event, {
      nowMs: clock.now(),
      random: random(),
      isOnline: environment.isOnline(),
    });
    state = next.state;
    if (!isOpen()) stopBeating();
    if (phase !== state.phase) options.onStatus(toConnectionStatus(state.phase), toConnectionStatus(phase));
    for (const effect of next.effects) run(effect);
  });

  function run(effect: ConnectionEffect): void {
    const current = socket;
    switch (effect.type) {
      case 'obtain_session':
        void obtain(effect.request);
        return;
      case 'open_socket':
        if (state.phase.status === 'reconnecting') void knock();
        else open();
        return;
      case 'drop_socket':
        endEpoch();
        current?.close(effect.code);
        return;
      case 'close_socket':
        current?.close(effect.code);
        return;
      case 'set_timer':
        timer.set(effect.delayMs, () => dispatch({ type: 'timer' }));
        return;
      case 'clear_timer':
        timer.clear();
        return;
      case 'report_end':
        options.onEnded();
        return;
    }
  }

  /** From here on, whatever the last socket or session request still says is late. */
  function endEpoch(): void {
    socketTimer.clear();
    socket = null;
    epoch += 1;
  }

  async function obtain(request: SessionRequest): Promise<void> {
    endEpoch();
    const own = epoch;
    const event = await options.obtainSession(request);
    if (own === epoch) dispatch(event);
  }

  function close(code: number): void {
    endEpoch();
    dispatch({ type: 'socket_closed', code });
  }

  /**
   * Browsers write the address of a socket that could not be opened, and with it the token, to their console.
   * After a drop it is therefore asked first, without a token, whether there is anybody to open it to.
   */
  async function knock(): Promise<void> {
    endEpoch();
    const own = epoch;
    const isUp = await options.isServiceUp();
    if (own !== epoch) return;
    if (isUp) open();
    else dispatch({ type: 'unreachable' });
  }

  function open(): void {
    const url = options.socketUrl();
    endEpoch();
    const own = epoch;
    let opening: WebSocket;
    try {
      opening = options.openSubstitute?.() ?? new WebSocket(url);
    } catch {
      // A content security policy, or no sockets at all. The error's text may hold the address with the
      // token, so only the fact that it failed is passed on.
      close(CLOSE_CODES.abnormal);
      return;
    }
    socket = opening;
    const hear = <Type extends keyof WebSocketEventMap>(
      type: Type,
      act: (event: WebSocketEventMap[Type]) => void,
    ): void =>
      opening.addEventListener(type, (event) => {
        if (own === epoch) act(event);
      });
    hear('open', () => {
      socketTimer.set(LIMITS.maxSocketAgeMs, () => dispatch({ type: 'socket_aged' }));
      dispatch({ type: 'socket_opened' });
      startBeating();
    });
    hear('message', ({ data }: MessageEvent<unknown>) => {
      // Only text frames exist; ENV-6 asks for 4002 and a reconnect.
      if (typeof data !== 'string') {
        dispatch({ type: 'socket_broken' });
        return;
      }
      deafTimer.clear();
      options.onText(data);
    });
    hear('close', ({ code }) => close(code));
    // A socket that a policy forbids has an error in Chromium and no end.
    hear('error', () => isOpen() || close(CLOSE_CODES.abnormal));
    socketTimer.set(OPENING_MS, () => {
      close(CLOSE_CODES.abnormal);
      opening.close(CLOSE_CODES.applicationError);
    });
  }

  function stopBeating(): void {
    beatTimer.clear();
    deafTimer.clear();
  }

  function startBeating(): void {
    stopBeating();
    awaitBeat();
  }

  function awaitBeat(): void {
    if (intervalMs <= 0 || !isOpen()) return;
    const dueMs = clock.now() + intervalMs;
    beatTimer.set(intervalMs, () => {
      // A machine that slept wakes up with a socket that may have died meanwhile.
      const patienceMs = clock.now() - dueMs > PROBE_MS ? PROBE_MS : intervalMs * 1.5;
      awaitBeat();
      options.onCheck();
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
    if (!deafTimer.isSet) deafTimer.set(patienceMs, () => dispatch({ type: 'socket_broken' }));
  }

  function wake(): void {
    options.onCheck();
    // Timers sleep in hidden pages: ask for a sign of life out of turn.
    if (beatTimer.isSet) beat(PROBE_MS);
    dispatch({ type: 'visible' });
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
    setHeartbeatInterval(nextMs) {
      if (nextMs === intervalMs) return;
      intervalMs = nextMs;
      startBeating();
    },
    destroy() {
      dispatch({ type: 'disconnect', isImmediate: true });
      stopListening();
      endEpoch();
    },
  };
}
