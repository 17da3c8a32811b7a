import { expect, it } from 'vitest';
import { FakeClock } from '../../../test/fake-clock.ts';
import { decodeServerFrame, encodeServerEvent } from '../../protocol/index.ts';
import { NEW_CONVERSATION } from './conversation-state.ts';
import { type ConversationChange, createConversationStore } from './conversation-store.ts';

const message = (sequence: number): string =>
  encodeServerEvent(
    {
      id: `e-${sequence}`,
      sequence,
      timestampMs: 0,
      type: 'EVENT_TYPE_AGENT_MESSAGE',
      payload: { message_id: `a${sequence}`, text: 'Hi', attachments: [], response_suggestions: [] },
      custom: null,
    },
    'neutral',
  );
const written = (localId: string) =>
  ({
    type: 'written',
    localId,
    event: { type: 'EVENT_TYPE_USER_MESSAGE', payload: { text: localId }, custom: null },
  }) as const;

it('completes a change before it handles the action of a subscriber', () => {
  const happened: string[] = [];
  const store = createConversationStore({
    start: NEW_CONVERSATION,
    clock: new FakeClock(),
    onChange({ action }) {
      const name = 'localId' in action ? action.localId : action.type;
      happened.push(`${name} begins`);
      if (name === 'first') {
        store.dispatch(written('answer'));
        // The state is never stale, also not for the subscriber that has just dispatched.
        happened.push(store.conversation.outbox.map(({ localId }) => localId).join());
      }
      happened.push(`${name} ends`);
    },
  });
  store.dispatch(written('first'));
  expect(happened).toEqual(['first begins', 'first,answer', 'first ends', 'answer begins', 'answer ends']);
});

it('applies frames that arrived together one by one, as one change', () => {
  const changes: ConversationChange[] = [];
  const store = createConversationStore({
    start: NEW_CONVERSATION,
    clock: new FakeClock(),
    onChange: (change) => changes.push(change),
  });
  const [chunk, repeat, junk] = [message(1), message(1), 'junk'].map(decodeServerFrame);
  if (chunk && repeat && junk) store.read([chunk, repeat, junk]);
  store.read([]);
  const [change] = changes;
  expect(changes).toHaveLength(1);
  expect(change?.before).toBe(NEW_CONVERSATION);
  expect(change?.conversation.transcript.entries.map(({ item }) => item.key)).toHaveLength(1);
  // Unreadable frames are reported elsewhere.
  expect(change?.ignored).toEqual(['e-1']);
});

it('ignores actions after it was closed', () => {
  const store = createConversationStore({
    start: NEW_CONVERSATION,
    clock: new FakeClock(),
    onChange: () => expect.unreachable(),
  });
  store.close();
  store.dispatch(written('late'));
  store.read([decodeServerFrame(message(1))]);
  expect(store.conversation).toBe(NEW_CONVERSATION);
});
