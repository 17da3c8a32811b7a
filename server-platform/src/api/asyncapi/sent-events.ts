import type { ClientEvent } from 'natter/protocol';
import * as v from 'valibot';
import { clientFeedback, type EventSchema, empty, score, surveyId, typingState } from './payload-parts.ts';

/** Types of the events that clients send. */
export type SentType = ClientEvent['type'];

/** Events that clients send, by type. Optional events are sent only if the connector enables them (TBD-2). */
export const SENT_EVENTS: Readonly<Record<SentType, EventSchema>> = {
  EVENT_TYPE_REQUEST_AGENT_JOIN: { summary: 'Asks the agent to join (JOIN-1).', payload: empty },
  EVENT_TYPE_USER_MESSAGE: {
    summary: 'A message of the visitor.',
    payload: v.object({
      text: v.pipe(v.string(), v.regex(/\S/), v.description('Not only white space.')),
    }),
  },
  EVENT_TYPE_USER_TYPING: {
    summary: 'The visitor types or has stopped; forwarded to a live agent.',
    payload: v.object({ state: typingState }),
  },
  EVENT_TYPE_USER_END_SESSION: { summary: 'The visitor ends the conversation.', payload: empty },
  EVENT_TYPE_HEARTBEAT: { summary: 'Keeps the socket and the session alive (HB-1).', payload: empty },
  EVENT_TYPE_CSAT_RESPONSE: {
    summary: 'Answers the survey. Only if the connector has surveys.',
    payload: v.union([
      v.object({ survey_id: surveyId, score, skipped: v.exactOptional(v.literal(false)) }),
      v.object({
        survey_id: surveyId,
        score: v.exactOptional(v.null()),
        skipped: v.pipe(v.literal(true), v.description('The visitor gives no score.')),
      }),
    ]),
  },
  EVENT_TYPE_USER_RECEIVED_MESSAGE: {
    summary: 'A message has arrived. Only if the connector has receipts.',
    payload: v.object({ message_id: v.pipe(v.string(), v.nonEmpty()) }),
  },
  EVENT_TYPE_USER_READ_MESSAGE: {
    summary: 'A message was read. Only if the connector has receipts.',
    payload: v.object({ message_id: v.pipe(v.string(), v.nonEmpty()) }),
  },
  EVENT_TYPE_X_CANCEL_HANDOFF: {
    summary: 'Withdraws the request for a person. Only if the join named `cancel_handoff` (EXT-5).',
    payload: empty,
  },
  EVENT_TYPE_X_FEEDBACK: {
    summary: 'Rates an answer of the automated agent. Only if the join named `feedback` (EXT-3).',
    payload: clientFeedback,
  },
  EVENT_TYPE_X_STOP_RESPONSE: {
    summary: 'Stops the answer that streams. Only if the join named `stop` (EXT-4).',
    payload: v.object({ message_id: v.pipe(v.string(), v.nonEmpty()) }),
  },
};
