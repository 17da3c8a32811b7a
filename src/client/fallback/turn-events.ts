import type { CustomMap, DecodedFrame, ServerEventType, ServerPayloads } from '../../protocol/index.ts';
import type { ClientPorts } from '../ports.ts';
import { toAnswer, toFrame } from './turn-frames.ts';

/** A visitor's message as a call to the proxy. */
export interface Turn {
  readonly custom: CustomMap | null;
  readonly text: string;
}

/** Emits the events of a conversation in turns. */
export interface TurnEvents {
  emit<Type extends ServerEventType>(
    type: Type,
    payload: ServerPayloads[Type],
    custom?: CustomMap | null,
  ): void;
  /** Emits the agent's text; nothing if it is empty. */
  emitAnswer(text: unknown): void;
  echo(turn: Turn): void;
  /** Reports that the message was not delivered. */
  refuse(turn: Turn): void;
  /** Shows the agent as thinking until the returned function is called. */
  think(): () => void;
}

/** The thinking indicator lasts 10 s (IND-1), so it is repeated before. */
const THINKING_AGAIN_MS = 8_000;

export function createTurnEvents(
  { clock, createId }: Pick<ClientPorts, 'clock' | 'createId'>,
  deliver: (frame: DecodedFrame) => void,
): TurnEvents {
  const emit: TurnEvents['emit'] = (type, payload, custom = null) =>
    deliver(toFrame(type, payload, custom, clock.now()));

  return {
    emit,
    emitAnswer(text) {
      if (text) emit('EVENT_TYPE_AGENT_MESSAGE', toAnswer(`turn-${createId()}`, String(text)));
    },
    echo: ({ text, custom }) => emit('EVENT_TYPE_USER_MESSAGE', { text, message_id: '' }, custom),
    refuse({ custom }) {
      // Nothing is shown for an error without text.
      emit('EVENT_TYPE_SYSTEM_MESSAGE', { level: 'SYSTEM_MESSAGE_LEVEL_ERROR', message: '' }, custom);
      emit('EVENT_TYPE_LIVE_AGENT_TYPING', {
        state: 'TYPING_STATE_STOPPED',
        agent_id: null,
        agent_name: null,
      });
    },
    think() {
      let cancel = (): void => {};
      function again(): void {
        emit('EVENT_TYPE_AGENT_THINKING', {});
        cancel = clock.setTimer(again, THINKING_AGAIN_MS);
      }
      again();
      return () => cancel();
    },
  };
}
