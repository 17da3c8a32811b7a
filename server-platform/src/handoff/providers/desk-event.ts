import * as v from 'valibot';
import type { HandoffSession, LiveAgent } from '../session/index.ts';

/** Events that an external desk sends about a hand-off, by `type`. Source: messaging.md 7.3, 7.4. */
export type DeskEvent =
  | { readonly type: 'accepted'; readonly queue_name: string | null }
  | {
      readonly type: 'queue';
      readonly queue_name?: string;
      readonly position_in_queue?: number;
      readonly estimated_wait_seconds?: number;
      readonly display_message?: string;
    }
  | { readonly type: 'joined'; readonly agent: LiveAgent }
  | { readonly type: 'typing'; readonly agent: LiveAgent; readonly state: 'started' | 'stopped' }
  | {
      readonly type: 'message';
      readonly agent: LiveAgent;
      readonly text: string;
      readonly attachments?: readonly Readonly<Record<string, string>>[];
      readonly response_suggestions?: readonly Readonly<Record<string, string>>[];
    }
  /** `end`: the conversation is over. `wait`: another person will join. `agent`: the automated agent continues. */
  | {
      readonly type: 'left';
      readonly agent: LiveAgent;
      readonly next: 'end' | 'wait' | 'agent';
      readonly reason?: string;
      /** The person or queue that the conversation is passed to. */
      readonly next_name?: string;
      /** With `next: 'agent'`: summary for the automated agent, not shown to visitors. */
      readonly summary?: string;
    }
  | { readonly type: 'failed'; readonly reason?: string };

const text = v.string('must be a string');
const name = v.pipe(
  text,
  v.nonEmpty('must be a non-empty string'),
  v.maxLength(255, 'must be at most 255 characters'),
);
const whole = v.pipe(
  v.number('must be an integer of 0 or more'),
  v.integer('must be an integer of 0 or more'),
  v.minValue(0, 'must be an integer of 0 or more'),
  v.maxValue(Number.MAX_SAFE_INTEGER, 'must be an integer of 0 or more'),
);
// One fault is named, and a body has room for half a million.
const listOfStrings = v.config(
  v.array(v.record(text, text, 'must be an object of strings'), 'must be a list'),
  {
    abortEarly: true,
  },
);

// A fault is named by the field of the body, which is `agent` for all of these.
const AGENT_FORM = 'must be an object with id and name, each of 1 to 255 characters';
const agentText = v.pipe(v.string(AGENT_FORM), v.nonEmpty(AGENT_FORM), v.maxLength(255, AGENT_FORM));
const avatarUrl = v.nullable(v.string('must have an avatar_url that is a string or null'));
const agent = v.pipe(
  v.object({ id: agentText, name: agentText, avatar_url: v.optional(avatarUrl, null) }, AGENT_FORM),
  v.transform(({ id, name: shown, avatar_url }): LiveAgent => ({ id, name: shown, avatarUrl: avatar_url })),
);

// A missing key carries a path, a value of the wrong kind does not.
const partOf = <const Entries extends v.ObjectEntries>(
  entries: Entries,
): v.ObjectSchema<Entries, (issue: v.ObjectIssue) => string> =>
  v.object(entries, (issue) => (issue.path === undefined ? 'must be a JSON object' : 'is required'));

const SCHEMA = v.variant(
  'type',
  [
    partOf({ type: v.literal('accepted'), queue_name: v.optional(v.nullable(text), null) }),
    partOf({
      type: v.literal('queue'),
      queue_name: v.exactOptional(text),
      position_in_queue: v.exactOptional(whole),
      estimated_wait_seconds: v.exactOptional(whole),
      display_message: v.exactOptional(text),
    }),
    partOf({ type: v.literal('joined'), agent }),
    partOf({
      type: v.literal('typing'),
      agent,
      state: v.picklist(['started', 'stopped'], 'must be one of: started, stopped'),
    }),
    v.pipe(
      partOf({
        type: v.literal('message'),
        agent,
        text: v.pipe(text, v.maxBytes(131_072, 'must be at most 131072 bytes of UTF-8')),
        attachments: v.exactOptional(listOfStrings),
        response_suggestions: v.exactOptional(listOfStrings),
      }),
      v.forward(
        v.check(
          ({ text: said, attachments = [] }) => said.trim() !== '' || attachments.length > 0,
          'must not be empty in a message without attachments',
        ),
        ['text'],
      ),
    ),
    partOf({
      type: v.literal('left'),
      agent,
      next: v.picklist(['end', 'wait', 'agent'], 'must be one of: end, wait, agent'),
      reason: v.exactOptional(text),
      next_name: v.exactOptional(name),
      summary: v.exactOptional(v.pipe(text, v.maxLength(4_000, 'must be at most 4000 characters'))),
    }),
    partOf({ type: v.literal('failed'), reason: v.exactOptional(text) }),
  ],
  // A body that is no object has no field to name.
  ({ path }) =>
    path === undefined
      ? 'must be a JSON object'
      : 'must be one of: accepted, queue, joined, typing, message, left, failed',
);

/** Schema of the body of `POST …/handoffs/{handoff_id}/events`. */
export const deskEventSchema: v.GenericSchema<unknown, DeskEvent> = SCHEMA;

/** Whether nothing more is to be said after this. */
export function isLastEvent(event: DeskEvent): boolean {
  return event.type === 'failed' || (event.type === 'left' && event.next !== 'wait');
}

/**
 * Delivers an event of another system to a session. Resolves with the id of the stored message; null: none stored. An
 * event delivered again under the same `id` is stored once.
 */
export async function deliverToSession(
  session: HandoffSession,
  event: DeskEvent,
  id?: string,
): Promise<string | null> {
  switch (event.type) {
    case 'accepted':
      await session.accepted(event.queue_name, id);
      return null;
    case 'queue': {
      const { queue_name, position_in_queue, estimated_wait_seconds, display_message } = event;
      await session.queueChanged({
        ...(queue_name !== undefined && { queueName: queue_name }),
        ...(position_in_queue !== undefined && { positionInQueue: position_in_queue }),
        ...(estimated_wait_seconds !== undefined && { estimatedWaitSeconds: estimated_wait_seconds }),
        ...(display_message !== undefined && { displayMessage: display_message }),
      });
      return null;
    }
    case 'joined':
      await session.agentJoined(event.agent, id);
      return null;
    case 'typing':
      await session.agentTyping(
        event.agent,
        event.state === 'started' ? 'TYPING_STATE_STARTED' : 'TYPING_STATE_STOPPED',
      );
      return null;
    case 'message':
      return await session.agentSent(
        {
          agent: event.agent,
          text: event.text,
          ...(event.attachments !== undefined && { attachments: event.attachments }),
          ...(event.response_suggestions !== undefined && { suggestions: event.response_suggestions }),
        },
        id,
      );
    case 'left': {
      const { agent, next, reason, next_name: nextName, summary } = event;
      const departure = {
        ...(reason !== undefined && { reason }),
        ...(nextName !== undefined && { nextName }),
        ...(summary !== undefined && { summary }),
      };
      await session.agentLeft(agent, next, departure, id);
      return null;
    }
    case 'failed':
      await session.failed(event.reason);
      return null;
  }
}
