import { describe, expect, it } from 'vitest';
import type { Sql } from '../../../db/index.ts';
import type { AppendEffects } from '../../event-log/index.ts';
import { SessionLossError } from '../../session-loss.ts';
import type { Session } from '../session.ts';
import { handleCommand, storeBeside } from './handle-command.ts';

const MESSAGE = { type: 'EVENT_TYPE_USER_MESSAGE', payload: { text: 'hi' }, custom: null } as const;
const HEARTBEAT = { type: 'EVENT_TYPE_HEARTBEAT', payload: {}, custom: null } as const;
const REPLY = { deliver() {}, refuse() {}, close() {} };

/** The session state that concurrent storing reads; an append fails with `error`. */
const coreOf = (
  changes: object,
  { error, isShared }: { readonly error?: Error; readonly isShared?: boolean },
) => {
  const parts = {
    ...{ isOpen: true, epoch: 1, survey: { open: null }, handoff: { recipient: 'agent' } },
    ...{
      turns: { waitingCount: 4, expect: () => () => {} },
      state: { loggedBytes: 0, row: { conversationStatus: 'running' } },
    },
    appender: { append: () => (error ? Promise.reject(error) : Promise.resolve({ status: 'appended' })) },
    context: {
      ...{
        peers: { isShared: isShared ?? false },
        limits: { maxWaitingTurns: 5, sessionBytes: 1 },
        clock: { now: () => 0 },
      },
    },
  };
  return { ...parts, ...changes } as unknown as Session;
};

describe('a message that is stored beside others', () => {
  it('stores a message concurrently if a running conversation on this node has room for its turn', async () => {
    expect(await storeBeside(coreOf({}, {}), MESSAGE, REPLY)).toBe(true);
    expect(storeBeside(coreOf({}, {}), HEARTBEAT, REPLY)).toBeNull();
    for (const changes of [
      { isOpen: false },
      { epoch: null },
      { survey: { open: {} } },
      { handoff: { recipient: 'person' } },
      { state: { loggedBytes: 0, row: { conversationStatus: 'none' } } },
      { turns: { waitingCount: 5 } },
    ])
      expect([changes, storeBeside(coreOf(changes, {}), MESSAGE, REPLY)]).toEqual([changes, null]);
  });

  const stale = new SessionLossError('stale_owner', 'another');
  const other = new Error('the disk is full');

  it('forwards a message to the owner node if there are other nodes', async () => {
    expect(await storeBeside(coreOf({}, { error: stale, isShared: true }), MESSAGE, REPLY)).toBe(false);
  });

  it.each([
    [stale, false],
    [other, false],
    [other, true],
  ])('fails with %s, with other nodes: %s', async (error, isShared) => {
    await expect(storeBeside(coreOf({}, { error, isShared }), MESSAGE, REPLY)).rejects.toBe(error);
  });

  it.each([undefined, other])('counts a message as waiting until its write ends with %s', async (error) => {
    let waiting = 0;
    const expectOne = () => {
      waiting += 1;
      return () => {
        waiting -= 1;
      };
    };
    const turns = { waitingCount: 0, expect: expectOne };
    const storing = storeBeside(coreOf({ turns }, error === undefined ? {} : { error }), MESSAGE, REPLY);
    expect(waiting).toBe(1);
    await storing?.catch(() => undefined);
    expect(waiting).toBe(0);
  });
});

/** An `append` that collects the effects it is given and answers that each event is in the log already. */
const createAppender = () => {
  const effects: (AppendEffects | undefined)[] = [];
  const append = async (_drafts: unknown, given?: AppendEffects) => {
    effects.push(given);
    return { status: 'repeated' };
  };
  return { append, effects };
};

it("records the agent's return in an existing conversation, which continues under its id", async () => {
  const { append, effects } = createAppender();
  const row = { conversationStatus: 'lost', conversationId: 'CONV-1', connectorId: 'c', language: 'en' };
  const session = coreOf({ appender: { append }, state: { loggedBytes: 0, row } }, {});
  Object.assign(session.context, { connectors: { findById: async () => ({ id: 'c', isRevoked: false }) } });
  const join = { type: 'EVENT_TYPE_REQUEST_AGENT_JOIN', payload: {}, custom: null } as const;
  await handleCommand(session, join, REPLY, null);
  expect(effects).toMatchObject([
    {
      session: { conversationStatus: 'running', conversationId: 'CONV-1' },
      record: { id: 'CONV-1', isAgentBack: true },
    },
  ]);
});

it('does not store a survey answer whose score could not be recorded', async () => {
  const { append, effects } = createAppender();
  const nothing = () => {};
  const session = coreOf(
    {
      appender: { append },
      survey: { open: { id: 's', reason: 'REASON_USER_END' }, stop: nothing },
      state: { loggedBytes: 0, row: { conversationId: 'CONV-1' }, extensions: [] },
      turns: { abort: nothing, waits: { ending: undefined, clear: nothing } },
      handoff: { close: nothing },
      lease: { release: nothing },
    },
    {},
  );
  Object.assign(session.context, { observer: { happened: nothing } });
  const payload = { survey_id: 's', score: 4, skipped: false };
  await handleCommand(session, { type: 'EVENT_TYPE_CSAT_RESPONSE', payload, custom: null }, REPLY, null);
  const failure = new Error('the disk is full');
  const sql = { query: () => Promise.reject(failure) } as unknown as Sql;
  await expect(effects[0]?.also?.(sql, [])).rejects.toBe(failure);
});
