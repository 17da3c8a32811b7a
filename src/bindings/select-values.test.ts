import { expect, it } from 'vitest';
import { type ChatSnapshot, createChatClient } from '../client/index.ts';
import { selectIsOver } from './select-values.ts';

const initial = createChatClient({ endpoint: 'https://chat.example' }).getInitialSnapshot();

it.each<[ChatSnapshot['session'], boolean]>([
  [{ status: 'unknown' }, false],
  [{ status: 'restored' }, false],
  [{ status: 'active' }, false],
  [{ status: 'ended', by: 'agent' }, true],
  [{ status: 'expired' }, true],
])('a conversation that is %j is over: %s', (session, isOver) => {
  expect(selectIsOver({ ...initial, session })).toBe(isOver);
});
