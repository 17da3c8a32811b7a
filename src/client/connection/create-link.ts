import { type ClientEvent, type DecodedFrame, encodeClientEvent } from '../../protocol/index.ts';
import { callSafely } from '../call-safely.ts';
import type { ChatClientOptions, FrameTrace } from '../chat-client.ts';
import type { ConnectionStatus } from '../chat-state.ts';
import type { Conversation, ConversationAction } from '../conversation/conversation-state.ts';
import type { ClientPorts } from '../ports.ts';
import type { Sessions } from '../session/sessions.ts';
import { createTypingPacer } from '../typing/create-typing-pacer.ts';
import { Connection } from './connection.ts';

export interface LinkOptions {
  readonly onFrame: ChatClientOptions['onFrame'];
  readonly ports: ClientPorts;
  readonly sessions: Sessions;
  /** The conversation as it is now. */
  readonly current: () => Conversation;
  /** False in a follower tab, which has no connection of its own. */
  readonly isInUse: () => boolean;
  readonly dispatch: (action: ConversationAction) => void;
  readonly onCheck: () => void;
}

/** A conversation's connection to the platform: frames in both directions, typing, and the connection status. */
export interface Link extends Pick<Connection, 'dispatch' | 'wake' | 'destroy'> {
  /** Writes one event; false when there is no open socket. */
  write(event: ClientEvent): boolean;
  notifyTyping(): void;
  trace(direction: FrameTrace['direction'], text: string): void;
}

export function createLink(options: LinkOptions): Link {
  const { ports, sessions, current, dispatch, onFrame } = options;
  const { clock } = ports;
  const typing = createTypingPacer(clock, (state) => {
    const { isLive, transcript } = current();
    const isHeard = isLive && transcript.hasAgentJoined;
    return isHeard && write({ type: 'EVENT_TYPE_USER_TYPING', payload: { state }, custom: null });
  });
  const connection = new Connection({
    ports,
    sessions,
    capabilities: () => current().transcript.capabilities,
    vocabulary: () => current().vocabulary,
    sendHeartbeat: () => void write({ type: 'EVENT_TYPE_HEARTBEAT', payload: {}, custom: null }),
    onStatus: showConnection,
    onFrame: read,
    onEnded: () => dispatch({ type: 'closed' }),
    onCheck: options.onCheck,
  });

  function trace(direction: FrameTrace['direction'], text: string): void {
    if (onFrame) callSafely(onFrame, { direction, atMs: clock.now(), text });
  }

  function read(frame: DecodedFrame, text: string): void {
    trace('in', text);
    if (frame.kind === 'drop') trace('local', `left out: ${frame.reason}`);
    dispatch({ type: 'frame', frame });
  }

  function write(event: ClientEvent): boolean {
    const isSent = connection.send(event);
    if (isSent && onFrame) trace('out', encodeClientEvent(event, current().vocabulary));
    return isSent;
  }

  function showConnection(status: ConnectionStatus): void {
    trace('local', `connection ${status.status}`);
    if (status.status !== 'open') typing.reset();
    if (!options.isInUse()) return;
    const isTurnBased = status.status === 'open' && sessions.isTurnBased();
    const connection = isTurnBased ? { ...status, isTurnBased } : status;
    dispatch({ type: 'connection', connection });
  }

  return {
    dispatch: connection.dispatch,
    wake: () => connection.wake(),
    destroy: () => connection.destroy(),
    write,
    trace,
    notifyTyping: typing.notify,
  };
}
