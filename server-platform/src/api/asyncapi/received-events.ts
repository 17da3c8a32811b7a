import type { ServerEventType } from 'natter/protocol';
import * as v from 'valibot';
import {
  agentContent,
  callAction,
  type EventSchema,
  empty,
  flag,
  listOf,
  messageId,
  number,
  oneOf,
  person,
  richContent,
  score,
  storedFeedback,
  surveyId,
  text,
  typingState,
  webAddress,
} from './payload-parts.ts';

/** Types of the events that the platform sends. Typing of visitors goes to the desk only. */
export type ReceivedType =
  | Exclude<ServerEventType, 'EVENT_TYPE_USER_TYPING'>
  | 'EVENT_TYPE_EVENT_BATCH'
  | 'EVENT_TYPE_CSAT_RESPONSE';

/** Events that the platform sends, by type. */
export const RECEIVED_EVENTS: Readonly<Record<ReceivedType, EventSchema>> = {
  EVENT_TYPE_EVENT_BATCH: {
    summary: 'History, before anything else on a new socket (RPL-1).',
    payload: v.object({
      events: listOf(
        v.object({
          id: text('Unique per event.'),
          sequence: number('Counts from 1 in each session.', 1),
          timestamp: v.pipe(v.string(), v.isoTimestamp()),
          type: text('One of the types that have a sequence.'),
          payload: v.record(v.string(), v.unknown()),
          metadata: v.exactOptional(v.record(v.string(), v.unknown())),
        }),
        'Events, each with its own envelope, in order.',
      ),
      has_more: flag('False with the last batch (RPL-8).'),
      last_sequence: number('Highest sequence of the session.'),
    }),
  },
  EVENT_TYPE_SESSION_START: {
    summary: 'The first event of every session.',
    payload: v.object({
      capabilities: v.pipe(
        v.object({
          streaming: flag('Whether answers come in chunks.'),
          max_message_size_bytes: number('Limit of one client frame; 0: none.'),
          max_reconnect_attempts: number('0: unlimited.'),
          heartbeat_interval_seconds: number('0: no heartbeats.'),
          extensions: listOf(v.string(), 'Names of the extensions that the platform offers (EXT-1).'),
        }),
        v.description('Optional features of this session.'),
      ),
      context_id: v.exactOptional(text('The `sub` of a verified context (VCI-1).')),
    }),
  },
  EVENT_TYPE_SESSION_END: {
    summary: 'The last event of a session.',
    payload: v.object({
      reason: oneOf('Why it ended.', ['REASON_USER_END', 'REASON_USER_ABANDONED', 'REASON_NATURAL_END']),
    }),
  },
  EVENT_TYPE_SYSTEM_MESSAGE: {
    summary: 'A notice or an error (section 12).',
    payload: v.object({
      level: oneOf('How serious it is.', [
        'SYSTEM_MESSAGE_LEVEL_INFO',
        'SYSTEM_MESSAGE_LEVEL_WARNING',
        'SYSTEM_MESSAGE_LEVEL_ERROR',
      ]),
      message: text('One of the texts of section 12.'),
      missing_agent: v.exactOptional(text('The configured agent, if the platform does not have it.')),
    }),
  },
  EVENT_TYPE_LANGUAGE_CHANGED: {
    summary: 'The conversation continues in this language.',
    payload: v.object({ language_code: text('BCP-47 tag.') }),
  },
  EVENT_TYPE_SESSION_IDLE_WARNING: {
    summary: 'The session expires soon. Only if the connector has idle warnings.',
    payload: v.object({ seconds_remaining: number('Until the session expires.') }),
  },
  EVENT_TYPE_HEARTBEAT: { summary: 'Echo of a heartbeat, to its sender (HB-2).', payload: empty },
  EVENT_TYPE_REQUEST_AGENT_JOIN: { summary: 'Echo of the request.', payload: empty },
  EVENT_TYPE_USER_END_SESSION: { summary: "Echo of the visitor's end.", payload: empty },
  EVENT_TYPE_USER_MESSAGE: {
    summary: 'Echo of a stored message (ECH-2).',
    payload: v.object({ text: text('As it was sent.'), message_id: messageId }),
  },
  EVENT_TYPE_AGENT_JOINED: {
    summary: 'The automated agent answers from now on.',
    payload: v.object({
      agent_name: v.exactOptional(text('Shown name.')),
      agent_avatar_url: v.exactOptional(webAddress('Picture.')),
    }),
  },
  EVENT_TYPE_AGENT_THINKING: { summary: 'An answer is being made.', payload: empty },
  EVENT_TYPE_AGENT_MESSAGE: {
    summary: 'A whole answer, in sessions without streaming.',
    payload: v.object({
      ...agentContent,
      agent_name: text('Shown name.'),
      avatar_url: v.exactOptional(webAddress('Picture.')),
    }),
  },
  EVENT_TYPE_AGENT_MESSAGE_CHUNK: {
    summary: 'A piece of an answer, in sessions with streaming (section 9).',
    payload: v.object({
      ...richContent,
      chunk_index: number('Counts from 1 in each message.', 1),
      is_complete: flag('True with the last piece.'),
      chat_call_actions: v.exactOptional(listOf(callAction, 'Numbers to call; with the last piece.')),
      end_conversation: v.exactOptional(flag('With the last piece; true: the conversation ends.')),
    }),
  },
  EVENT_TYPE_AGENT_LEFT: {
    summary: 'The automated agent answers no more.',
    payload: v.object({ reason: v.exactOptional(text('Why.')) }),
  },
  EVENT_TYPE_AGENT_TRIGGERED_HANDOFF: {
    summary: 'The way to a person begins (8.3).',
    payload: v.object({
      desk_hours: v.exactOptional(text('When the desk is staffed, to be shown as it is.')),
    }),
  },
  EVENT_TYPE_LIVE_AGENT_JOINED: {
    summary: 'A person answers from now on.',
    payload: v.object({
      agent: v.object({
        id: text('Names the person.'),
        name: text('Shown name.'),
        avatar_url: v.exactOptional(webAddress('Picture.')),
      }),
    }),
  },
  EVENT_TYPE_LIVE_AGENT_TYPING: {
    summary: 'The person types or has stopped.',
    payload: v.object({ state: typingState, ...person }),
  },
  EVENT_TYPE_LIVE_AGENT_MESSAGE: {
    summary: 'A message of the person; never in chunks (STR-4).',
    payload: v.object({
      ...richContent,
      ...person,
      avatar_url: v.exactOptional(webAddress('Picture.')),
    }),
  },
  EVENT_TYPE_LIVE_AGENT_LEFT: {
    summary: 'The person has left (8.10).',
    payload: v.object({
      ...person,
      reason: v.exactOptional(text('Why.')),
      next_name: v.exactOptional(text('The person or queue that the conversation is passed to.')),
    }),
  },
  EVENT_TYPE_HANDOFF_ACCEPTED: {
    summary: 'The desk has taken the conversation.',
    payload: v.object({ queue_name: v.exactOptional(text('Name of the queue.')) }),
  },
  EVENT_TYPE_HANDOFF_QUEUE_STATUS: {
    summary: 'The visitor’s place in the queue.',
    payload: v.object({
      queue_name: v.exactOptional(text('Name of the queue.')),
      position_in_queue: v.exactOptional(number('1 is next.')),
      estimated_wait_seconds: v.exactOptional(number('How long it may take.')),
      display_message: v.exactOptional(text('To be shown as it is.')),
    }),
  },
  EVENT_TYPE_CLIENT_HANDOFF_REQUIRED: {
    summary: 'The page has to bring the visitor to a person (8.4).',
    payload: v.object({
      reason: oneOf('Why the agent gives up.', ['COMPLEX_QUERY', 'AGENT_DECISION', 'POLICY']),
      queue_name: text('Where to.'),
      route: v.exactOptional(text('How, as the connector is configured.')),
    }),
  },
  EVENT_TYPE_HANDOFF_FAILED: {
    summary: 'No person could be reached (8.5).',
    payload: v.object({ reason: v.exactOptional(text('Why.')) }),
  },
  EVENT_TYPE_HANDOFF_TIMEOUT: {
    summary: 'No person joined in time (8.5).',
    payload: v.object({ reason: v.exactOptional(text('Why.')) }),
  },
  EVENT_TYPE_SHOW_CSAT_REQUEST: {
    summary: 'Asks how the conversation was. Only if the connector has surveys.',
    payload: v.object({
      survey_id: surveyId,
      title: v.pipe(v.string(), v.maxLength(60)),
      question: v.pipe(v.string(), v.maxLength(200)),
      scale_min: v.literal(1),
      scale_max: v.literal(5),
      scale: v.exactOptional(
        v.pipe(v.literal('stars'), v.description('What the scale is drawn with; missing: faces.')),
      ),
    }),
  },
  EVENT_TYPE_X_FEEDBACK: { summary: 'Echo of a stored feedback (EXT-3).', payload: storedFeedback },
  EVENT_TYPE_CSAT_RESPONSE: {
    summary: 'Echo of the answer to the survey.',
    payload: v.object({
      survey_id: surveyId,
      score: v.nullable(score),
      skipped: v.boolean(),
    }),
  },
};
