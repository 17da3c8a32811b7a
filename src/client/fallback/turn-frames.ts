import type {
  CustomMap,
  DecodedFrame,
  ServerEvent,
  ServerEventType,
  ServerPayloads,
} from '../../protocol/index.ts';

/** The history of a connection in turns, which is empty because the platform cannot replay it. */
export const EMPTY_REPLAY: DecodedFrame = {
  kind: 'events',
  events: [],
  skipped: [],
  batch: { hasMore: false },
};

/** The automated agent, without a name. */
export const AGENT: ServerPayloads['EVENT_TYPE_AGENT_JOINED'] = { agent_name: null, agent_avatar_url: null };

/** A plain text answer. */
export const toAnswer = (message_id: string, text: string): ServerPayloads['EVENT_TYPE_AGENT_MESSAGE'] => ({
  message_id,
  text,
  agent_name: null,
  avatar_url: null,
  end_conversation: false,
  attachments: [],
  response_suggestions: [],
  chat_call_actions: [],
});

/** A frame with one event outside the session's history. */
export function toFrame<Type extends ServerEventType>(
  type: Type,
  payload: ServerPayloads[Type],
  custom: CustomMap | null,
  timestampMs: number,
): DecodedFrame {
  const event = { type, id: '', sequence: null, timestampMs, custom, payload };
  // The payload belongs to the type; the union cannot express the pairing.
  return { kind: 'events', events: [event as unknown as ServerEvent], skipped: [], batch: null };
}
