import { expect, it } from 'vitest';
import type { Entry } from './desk-types.ts';
import { listUnsent, type Unsent } from './list-unsent.ts';

const unsent = (id: string, fields: Partial<Unsent> = {}): Unsent => ({
  id,
  requestId: 'r1',
  text: 'Yes.',
  file: null,
  after: 4,
  problem: null,
  messageId: null,
  ...fields,
});
const stored = (sequence: number, messageId: string, fields: Entry['payload'] = {}): Entry => ({
  sequence,
  type: 'LIVE_AGENT_MESSAGE',
  payload: { message_id: messageId, text: 'Yes.', agent_id: 'grace', ...fields },
  at: '2026-07-13T08:00:00Z',
});
const list = (outbox: readonly Unsent[], entries: readonly Entry[]): readonly string[] =>
  listUnsent(outbox, entries, 'r1', 'grace').map(({ id }) => id);

it('shows waiting and refused messages, and nothing of another conversation', () => {
  const outbox = [unsent('a'), unsent('b', { problem: 'Too long' }), unsent('c', { requestId: 'r2' })];
  expect(list(outbox, [])).toEqual(['a', 'b']);
});

it('shows a confirmed message until the log has it', () => {
  const outbox = [unsent('a', { messageId: 'm5' })];
  expect(list(outbox, [])).toEqual(['a']);
  expect(list(outbox, [stored(5, 'm5')])).toEqual([]);
});

it('shows a message once that is in the log before the platform has answered', () => {
  expect(list([unsent('a')], [stored(5, 'm5')])).toEqual([]);
});

it('does not take an earlier message, another text or another person for the one that is sent', () => {
  expect(list([unsent('a')], [stored(4, 'm4')])).toEqual(['a']);
  expect(list([unsent('a')], [stored(5, 'm5', { text: 'No.' })])).toEqual(['a']);
  expect(list([unsent('a')], [stored(5, 'm5', { agent_id: 'sue' })])).toEqual(['a']);
});

it('keeps the second of two equal messages until it is stored itself', () => {
  const outbox = [unsent('a'), unsent('b')];
  expect(list(outbox, [stored(5, 'm5')])).toEqual(['b']);
  const confirmed = [unsent('a', { messageId: 'm5' }), unsent('b')];
  expect(list(confirmed, [stored(5, 'm5')])).toEqual(['b']);
  expect(list(confirmed, [stored(5, 'm5'), stored(6, 'm6')])).toEqual([]);
});
