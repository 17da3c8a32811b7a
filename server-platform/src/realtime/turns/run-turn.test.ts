import { expect, it, vi } from 'vitest';
import { createFakeSession } from '../../../test/realtime/fake-session.ts';
import { type AgentScript, createDoor, createScriptedAgent } from '../../../test/realtime/scripted-agent.ts';
import { AgentError } from '../../agents/index.ts';
import type { StoredSession } from '../event-log/index.ts';
import { TurnQueue } from './turn-queue.ts';

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Runs one turn of a session whose log is an array. */
function createTurn(script: AgentScript, row: Partial<StoredSession> = {}) {
  const session = createFakeSession({ row });
  const agent = createScriptedAgent();
  agent.script = script;
  session.agent = agent;
  const turns = new TurnQueue(session);
  const run = async (kind: 'greeting' | 'message' = 'message'): Promise<void> => {
    turns.add({ id: kind, kind, text: '', messageId: null, inputSequence: 2, custom: null, queuedAtMs: 0 });
    await turns.idle();
  };
  const types = (): readonly string[] => session.seen.appended.flatMap((each) => each.types);
  return { run, seen: session.seen, session, turns, types };
}

it('announces an agent even if its greeting is empty', async () => {
  const { run, types } = createTurn(async function* () {});
  await run('greeting');
  expect(types()).toContain('AGENT_JOINED');
});

it('ignores actions after the agent has ended the conversation', async () => {
  const { run, seen } = createTurn(async function* () {
    yield { type: 'text', text: 'Goodbye.' };
    yield { type: 'end' };
    yield { type: 'text', text: ' By the way' };
  });
  await run();
  expect(seen.ends.flatMap(({ payloads }) => payloads)).toMatchObject([{ text: 'Goodbye.' }]);
});

it("stores the text before an agent's failure, but not the buffered rest (STR-3)", async () => {
  const door = createDoor();
  const { run, seen, session } = createTurn(
    async function* () {
      yield { type: 'text', text: 'First.' };
      await settled();
      await settled();
      yield { type: 'text', text: 'Second.' };
      setImmediate(door.open);
      throw new AgentError('unavailable', 'down', { retryable: true });
    },
    { streaming: true },
  );
  session.storing = door.opened;
  await run();
  await settled();
  expect(seen.results).toEqual(['failed']);
  expect(seen.appended).toMatchObject([{ payloads: [{ text: 'First.' }] }, { types: ['SYSTEM_MESSAGE'] }]);
});

it('reports nothing about a part that could not be stored, because the session is reloaded', async () => {
  const failure = new Error('too much waits');
  const { run, seen, session, types } = createTurn(
    async function* () {
      session.failure = failure;
      yield { type: 'text', text: 'First.' };
      await settled();
      await settled();
      session.failure = null;
      yield { type: 'text', text: 'Second.' };
    },
    { streaming: true },
  );
  await run();
  expect([seen.discarded, types()]).toEqual([[failure], []]);
});

it('fails when the agent may not wait for the event it requests', async () => {
  const { run, seen, turns } = createTurn(async function* () {
    yield { type: 'wait_for_event', name: 'payment', eventId: 'taken', timeoutMs: 1_000 };
    yield { type: 'text', text: 'Pay with this.' };
  });
  vi.spyOn(turns.waits, 'open').mockRejectedValue(
    new AgentError('broken_stream', 'taken', { retryable: false }),
  );
  await run();
  expect(seen.results).toEqual(['failed']);
});
