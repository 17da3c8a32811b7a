import { expect, it } from 'vitest';
import { FakeClock } from '../../../test/fake-clock.ts';
import { NEW_CONVERSATION } from './conversation-state.ts';
import { createConversationStore } from './conversation-store.ts';

const written = (localId: string) => ({ type: 'written', localId, text: localId }) as const;

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

it('takes no action after it was closed', () => {
  const store = createConversationStore({
    start: NEW_CONVERSATION,
    clock: new FakeClock(),
    onChange: () => expect.unreachable(),
  });
  store.close();
  store.dispatch(written('late'));
  expect(store.conversation).toBe(NEW_CONVERSATION);
});
