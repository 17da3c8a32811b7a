import { describe, expect, it } from 'vitest';
import { SessionLossError } from '../session-loss.ts';
import { storeBeside } from './handle-command.ts';
import type { SessionCore } from './session-core.ts';

const MESSAGE = { type: 'EVENT_TYPE_USER_MESSAGE', payload: { text: 'hi' }, custom: null } as const;
const HEARTBEAT = { type: 'EVENT_TYPE_HEARTBEAT', payload: {}, custom: null } as const;
const REPLY = { deliver() {}, refuse() {}, close() {} };

/** What storing beside others looks at; an append fails with `error`. */
const coreOf = (
  changes: object,
  { error, isShared }: { readonly error?: Error; readonly isShared?: boolean },
) => {
  const parts = {
    ...{ isOpen: true, epoch: 1, survey: { open: null }, handoff: { recipient: 'agent' } },
    ...{
      turns: { waitingCount: 4, expect: () => () => {} },
      state: { row: { conversationStatus: 'running' } },
    },
    appender: { append: () => (error ? Promise.reject(error) : Promise.resolve({ status: 'appended' })) },
    context: {
      ...{ peers: { isShared: isShared ?? false }, limits: { maxWaitingTurns: 5 }, clock: { now: () => 0 } },
    },
  };
  return { ...parts, ...changes } as unknown as SessionCore;
};

describe('a message that is stored beside others', () => {
  it('is one for the agent of a running conversation that this node has, with room for its turn', async () => {
    expect(await storeBeside(coreOf({}, {}), MESSAGE, REPLY)).toBe(true);
    expect(storeBeside(coreOf({}, {}), HEARTBEAT, REPLY)).toBeNull();
    for (const changes of [
      { isOpen: false },
      { epoch: null },
      { survey: { open: {} } },
      { handoff: { recipient: 'person' } },
      { state: { row: { conversationStatus: 'none' } } },
      { turns: { waitingCount: 5 } },
    ])
      expect([changes, storeBeside(coreOf(changes, {}), MESSAGE, REPLY)]).toEqual([changes, null]);
  });

  const stale = new SessionLossError('stale_owner', 'another');
  const other = new Error('the disk is full');

  it('goes to the node that has the session, where there are others', async () => {
    expect(await storeBeside(coreOf({}, { error: stale, isShared: true }), MESSAGE, REPLY)).toBe(false);
  });

  it.each([
    [stale, false],
    [other, false],
    [other, true],
  ])('fails with %s, with other nodes: %s', async (error, isShared) => {
    await expect(storeBeside(coreOf({}, { error, isShared }), MESSAGE, REPLY)).rejects.toBe(error);
  });
});
