import { type ClientEvent, encodeClientEvent, type TypingState } from '../../protocol/index.ts';
import { callSafely } from '../call-safely.ts';
import type { ChatClientOptions, FrameTrace } from '../chat-client.ts';
import type { ConnectionStatus } from '../chat-state.ts';
import type { Conversation, ConversationAction } from '../conversation/conversation-state.ts';
import type { ConversationStore } from '../conversation/conversation-store.ts';
import type { ClientPorts } from '../ports.ts';
import type { Sessions } from '../session/sessions.ts';
import { Connection } from './connection.ts';
import type { ConnectionEvent } from './connection-state.ts';
import { createTypingPacer, type TypingPacer } from './create-typing-pacer.ts';
import type { ReceivedFrame } from './transport.ts';

export interface ConversationConnectionOptions {
  readonly onFrame: ChatClientOptions['onFrame'];
  readonly ports: ClientPorts;
  readonly sessions: Sessions;
  /** The conversation as it is now. */
  readonly current: () => Conversation;
  /** False in a follower tab, which has no connection. */
  readonly isInUse: () => boolean;
  readonly dispatch: (action: ConversationAction) => void;
  readonly read: ConversationStore['read'];
  readonly onCheck: () => void;
}

/** A conversation's connection to the platform: frames in both directions, typing, and the connection status. */
export class ConversationConnection {
  readonly #options: ConversationConnectionOptions;
  readonly #connection: Connection;
  readonly #typing: TypingPacer;

  constructor(options: ConversationConnectionOptions) {
    const { ports, sessions, current, dispatch, onCheck } = options;
    this.#options = options;
    this.#typing = createTypingPacer(ports.clock, (state) => this.#writeTyping(state));
    this.#connection = new Connection({
      ports,
      sessions,
      capabilities: () => current().transcript.capabilities,
      vocabulary: () => current().vocabulary,
      sendHeartbeat: () => void this.write({ type: 'EVENT_TYPE_HEARTBEAT', payload: {}, custom: null }),
      onStatus: (status) => this.#onStatus(status),
      isLive: () => current().isLive,
      onFrames: (frames) => this.#onFrames(frames),
      onEnded: () => dispatch({ type: 'closed' }),
      onCheck,
    });
  }

  dispatch(event: ConnectionEvent): void {
    this.#connection.dispatch(event);
  }

  wake(): void {
    this.#connection.wake();
  }

  /** Writes one event; false when there is no open socket. */
  write(event: ClientEvent): boolean {
    const isSent = this.#connection.send(event);
    if (isSent && this.#options.onFrame)
      this.trace('out', encodeClientEvent(event, this.#options.current().vocabulary));
    return isSent;
  }

  notifyTyping(): void {
    this.#typing.notify();
  }

  trace(direction: FrameTrace['direction'], text: string): void {
    const { onFrame, ports } = this.#options;
    if (onFrame) callSafely(onFrame, { direction, atMs: ports.clock.now(), text });
  }

  destroy(): void {
    this.#connection.destroy();
  }

  #onFrames(frames: readonly ReceivedFrame[]): void {
    for (const { frame, text } of frames) {
      this.trace('in', text);
      if (frame.kind === 'drop') this.trace('local', `left out: ${frame.reason}`);
    }
    this.#options.read(frames.map(({ frame }) => frame));
  }

  #onStatus(status: ConnectionStatus): void {
    const { sessions, isInUse, dispatch } = this.#options;
    this.trace('local', `connection ${status.status}`);
    if (status.status !== 'open') this.#typing.reset();
    if (!isInUse()) return;
    const isTurnBased = status.status === 'open' && sessions.isTurnBased();
    const connection = isTurnBased ? { ...status, isTurnBased } : status;
    dispatch({ type: 'connection', connection });
  }

  /** Typing is sent only to an agent that has joined. */
  #writeTyping(state: TypingState): boolean {
    const { isLive, transcript } = this.#options.current();
    const hasListener = isLive && transcript.hasAgentJoined;
    return hasListener && this.write({ type: 'EVENT_TYPE_USER_TYPING', payload: { state }, custom: null });
  }
}
