import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeStorage } from '../../../test/db/describe-storage.ts';
import type { TestDatabase } from '../../../test/db/engines.ts';
import {
  addOwnedSession,
  addTestConnector,
  CONVERSATION_START,
  testEvent,
  testMessage,
} from '../../../test/db/fixtures.ts';
import type { Database } from '../../db/sql.ts';
import type { AppendRequest, AppendResult } from './append-request.ts';
import { createEventLog } from './event-log.ts';
import { loadSession } from './session-table.ts';
import { writeConversations } from './write-conversations.ts';

/** One request of a session: the events it adds, and its effects on turns and the session. */
type Step =
  | { readonly kind: 'events'; readonly count: number }
  | { readonly kind: 'message'; readonly draft: number; readonly queues: boolean }
  | { readonly kind: 'turn begins'; readonly turn: number }
  | { readonly kind: 'turn ends'; readonly turn: number; readonly says: boolean; readonly canWait: boolean }
  | { readonly kind: 'hands off'; readonly atMs: number }
  | { readonly kind: 'agent is back' }
  | { readonly kind: 'conversation ends'; readonly atMs: number }
  | { readonly kind: 'language'; readonly language: string }
  | { readonly kind: 'refused by the database' }
  | { readonly kind: 'session ends' };

type Steps = readonly (readonly [session: number, step: Step])[];

const SESSIONS = 2;
const TURNS = 3;

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('events' as const), count: fc.nat(2) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('message' as const),
      draft: fc.nat(3),
      queues: fc.boolean(),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('turn ends' as const),
      turn: fc.nat(TURNS - 1),
      says: fc.boolean(),
      canWait: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('turn begins' as const), turn: fc.nat(TURNS - 1) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('hands off' as const), atMs: fc.integer({ min: 10, max: 19 }) }),
  },
  { weight: 1, arbitrary: fc.constant<Step>({ kind: 'agent is back' }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('conversation ends' as const),
      atMs: fc.integer({ min: 20, max: 29 }),
    }),
  },
  { weight: 1, arbitrary: fc.constantFrom<Step>({ kind: 'language', language: 'cy' }) },
  { weight: 1, arbitrary: fc.constant<Step>({ kind: 'refused by the database' }) },
  { weight: 1, arbitrary: fc.constant<Step>({ kind: 'session ends' }) },
);

describeStorage('groups of appends', ({ open }) => {
  let place: TestDatabase;
  let connectorId: string;
  beforeAll(async () => {
    place = await open();
    connectorId = await addTestConnector(place.database);
  });
  afterAll(() => place.close());

  it('stores any mix of requests in a group as if they were appended one by one', async () => {
    const steps = fc.array(fc.tuple(fc.nat(SESSIONS - 1), step), { maxLength: 14 });
    await fc.assert(
      fc.asyncProperty(steps, async (drawn) => {
        const oneByOne = await play(place.database, connectorId, drawn, false);
        expect(await play(place.database, connectorId, drawn, true)).toEqual(oneByOne);
        expect(await play(place.database, connectorId, drawn, true, 2)).toEqual(oneByOne);
      }),
      { numRuns: 40 },
    );
  });

  it('writes messages and turn ends of the same sessions with one statement', async () => {
    const texts: string[] = [];
    const watched: Database = {
      ...place.database,
      query(text, params, how) {
        texts.push(text);
        return place.database.query(text, params, how);
      },
      tx: () => Promise.reject(new Error('a group needs no transaction around its statement')),
    };
    const log = createEventLog(watched);
    const owner = await addOwnedSession(place.database, connectorId);
    const id = randomUUID();
    await log.append({ ...owner, events: [testMessage('first')], effects: { queueTurn: { id } } });
    texts.length = 0;
    const results = await Promise.all([
      log.append({ ...owner, events: [], effects: { endTurn: { id } } }),
      log.append({
        ...owner,
        events: [testMessage('second')],
        effects: { queueTurn: { id: randomUUID() } },
      }),
      log.append({
        ...owner,
        events: [testMessage('first')],
        effects: { queueTurn: { id: randomUUID() } },
      }),
      log.append({
        ...owner,
        events: [testMessage('third')],
        effects: { queueTurn: { id: randomUUID() } },
      }),
    ]);
    expect(texts).toHaveLength(1);
    expect(results).toMatchObject([
      { status: 'appended', events: [] },
      { status: 'appended', turn: { ordinal: 2, inputSequence: 3 } },
      { status: 'repeated', original: { sequence: 2 } },
      { status: 'appended', turn: { ordinal: 3, inputSequence: 4 } },
    ]);
  });
});

/** Runs the steps on new sessions. Returns their results and the rows that are stored afterwards. */
async function play(
  database: Database,
  connectorId: string,
  steps: Steps,
  isAtOnce: boolean,
  writers = 1,
): Promise<object> {
  const log = createEventLog(database, { writers });
  const sessions: (Place & { readonly owner: Owner })[] = [];
  for (let count = 0; count < SESSIONS; count += 1) {
    const owner = await addOwnedSession(database, connectorId);
    const turns = Array.from({ length: TURNS }, () => randomUUID());
    for (const id of turns)
      await log.append({ ...owner, events: [testEvent()], effects: { queueTurn: { id } } });
    const conversation = randomUUID();
    await writeConversations(database, [{ id: conversation, start: CONVERSATION_START }]);
    sessions.push({ owner, turns, conversation });
  }
  const build = ([session, each]: Steps[number]): AppendRequest => {
    const place = sessions[session];
    if (place === undefined) throw new Error('no such session');
    return { ...place.owner, ...toRequest(each, place) };
  };
  const append = async (request: AppendRequest): Promise<object> =>
    await log.append(request).then(toOutcome, (error: unknown) => ({ failed: String(error) }));
  const results: object[] = [];
  if (isAtOnce) results.push(...(await Promise.all(steps.map((each) => append(build(each))))));
  else for (const each of steps) results.push(await append(build(each)));
  return { results, stored: await Promise.all(sessions.map((each) => readStored(database, each))) };
}

type Owner = Awaited<ReturnType<typeof addOwnedSession>>;
type Place = { readonly turns: readonly string[]; readonly conversation: string };

function toRequest(each: Step, { turns, conversation }: Place): Pick<AppendRequest, 'events' | 'effects'> {
  switch (each.kind) {
    case 'events':
      return { events: Array.from({ length: each.count }, () => testEvent()) };
    case 'message': {
      const session = { lastActivityMs: 1_800_000_000_000 + each.draft };
      const queueTurn = each.queues ? { id: randomUUID() } : undefined;
      return { events: [testMessage(`draft-${each.draft}`)], effects: { session, queueTurn } };
    }
    case 'turn begins': {
      const id = turns[each.turn] ?? '';
      return { events: [testEvent()], effects: { beginTurn: { id, messageId: 'msg_1', startedAtMs: 7 } } };
    }
    case 'turn ends': {
      const id = turns[each.turn] ?? '';
      const said = each.says ? 'Hello!' : '';
      const spoken = {
        kind: 'message',
        userInput: `${each.turn}`,
        userInputAtMs: 1,
        agentResponse: said,
      } as const;
      return {
        events: each.says ? [testEvent()] : [],
        effects: {
          endTurn: { id },
          record: { id: conversation, turns: [{ ...spoken, agentResponseAtMs: 2, atMs: 3 }] },
          canWait: each.canWait,
        },
      };
    }
    case 'hands off': {
      const sharedId = each.atMs % 2 === 0 ? `shared ${each.atMs}` : undefined;
      const handoff = { atMs: each.atMs, reason: 'asked', destination: `desk ${each.atMs}`, sharedId };
      return { events: [testEvent()], effects: { record: { id: conversation, handoff } } };
    }
    case 'agent is back':
      return { events: [], effects: { record: { id: conversation, isAgentBack: true, language: 'fr' } } };
    case 'conversation ends': {
      const end = { atMs: each.atMs, reason: 'user' } as const;
      return { events: [testEvent()], effects: { record: { id: conversation, end } } };
    }
    case 'language':
      return { events: [testEvent()], effects: { session: { language: each.language } } };
    case 'refused by the database':
      return { events: [{ ...testEvent(), id: 'no uuid' }] };
    case 'session ends':
      return { events: [testEvent()], effects: { session: { state: 'ended', endedAtMs: 9 } } };
  }
}

/** Removes values that differ between sessions. */
function toOutcome(result: AppendResult): object {
  if (result.status === 'appended') {
    const { events, turn } = result;
    return { sequences: events.map(({ sequence }) => sequence), turn: turn && { ...turn, id: '' } };
  }
  return result.status === 'repeated' ? { repeats: result.original.sequence } : result;
}

async function readStored(
  database: Database,
  { owner, conversation }: Place & { readonly owner: Owner },
): Promise<object> {
  const session = await loadSession(database, owner.sessionId);
  return {
    session: [
      session?.state,
      session?.language,
      session?.lastSequence,
      session?.lastActivityMs,
      session?.endedAtMs,
    ],
    events: await database.query(
      'SELECT sequence, type FROM events WHERE session_id = $1 ORDER BY sequence',
      [owner.sessionId],
    ),
    turns: await database.query(
      'SELECT ordinal, input_sequence, message_id, started_at FROM turns WHERE session_id = $1 ORDER BY ordinal',
      [owner.sessionId],
    ),
    conversation: await database.query(
      'SELECT num_turns, language, shared_id, handoff_at, handoff_destination, agent_left_at, ended_at FROM conversations WHERE id = $1',
      [conversation],
    ),
    spoken: await database.query(
      'SELECT ordinal, user_input, agent_response FROM conversation_turns WHERE conversation_id = $1 ORDER BY ordinal',
      [conversation],
    ),
  };
}
