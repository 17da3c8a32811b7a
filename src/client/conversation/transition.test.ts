import { describe, expect, it } from 'vitest';
import {
  decodeServerFrame,
  encodeBatches,
  encodeServerEvent,
  type OutgoingEvent,
} from '../../protocol/index.ts';
import { type Conversation, type ConversationAction, NEW_CONVERSATION } from './conversation-state.ts';
import { reduceConversation } from './transition.ts';

const OPENED: ConversationAction = { type: 'connection', connection: { status: 'open' } };

const agentSays = (sequence: number, text: string, timestampMs = 0): OutgoingEvent => ({
  id: `e${sequence}`,
  sequence,
  timestampMs,
  type: 'EVENT_TYPE_AGENT_MESSAGE',
  payload: { message_id: `m${sequence}`, text },
  custom: null,
});

const read = (text: string): ConversationAction => ({ type: 'frame', frame: decodeServerFrame(text) });
const live = (event: OutgoingEvent): ConversationAction => read(encodeServerEvent(event, 'neutral'));

/** A batch marked as the whole history. */
function history(...events: OutgoingEvent[]): ConversationAction {
  const options = { vocabulary: 'neutral', maxBytes: 100_000, nowMs: 0, createId: () => 'b' } as const;
  const [frame = ''] = encodeBatches(events, { ...options, lastSequence: events.length });
  return read(frame);
}

const reduce = (start: Conversation, input: ConversationAction, nowMs: number): Conversation =>
  reduceConversation(start, input, nowMs).conversation;

const textsOf = ({ transcript }: Conversation): unknown[] =>
  transcript.entries.map(({ item }) => 'text' in item && item.text);

describe('a step', () => {
  it('does not change the previous conversation, even one made by a batch', () => {
    const opened = reduce(NEW_CONVERSATION, OPENED, 0);
    const replayed = reduce(opened, history(agentSays(1, 'one'), agentSays(2, 'two')), 0);
    const spoken = reduce(replayed, live(agentSays(3, 'three')), 0);
    const reopened = reduce(spoken, OPENED, 0);
    const caughtUp = reduce(reopened, history(agentSays(4, 'four')), 0);
    expect([opened, replayed, spoken, caughtUp].map(textsOf)).toEqual([
      [],
      ['one', 'two'],
      ['one', 'two', 'three'],
      ['one', 'two', 'three', 'four'],
    ]);
  });
});

describe('the last activity', () => {
  it('takes the last activity from the history, but never from the future', () => {
    const opened = reduce(NEW_CONVERSATION, OPENED, 1_000);
    expect(opened.lastActivityMs).toBe(1_000);
    const at = (timestampMs: number): number =>
      reduce(opened, history(agentSays(1, 'Hello', timestampMs)), 9_000).lastActivityMs;
    expect([500, 4_000, 20_000].map(at)).toEqual([1_000, 4_000, 9_000]);
  });

  it('takes the current time as activity for a live message, whatever its timestamp', () => {
    const opened = reduce(NEW_CONVERSATION, OPENED, 1_000);
    expect(reduce(opened, live(agentSays(1, 'Hello', 4_000)), 9_000).lastActivityMs).toBe(9_000);
  });
});
