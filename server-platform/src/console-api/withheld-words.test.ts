import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ConsoleFixture,
  startConsoleFixture,
  type TestPerson,
} from '../../test/console-api/console-fixture.ts';
import { recorded, said } from '../../test/records/conversations/recorded.ts';
import { writeConversations } from '../realtime/event-log/index.ts';

const WORD = 'aubergine';
const SESSION = 'eeeeeeee-0000-4000-8000-000000000001';
/** A week that holds the conversation, as the searches want it. */
const week = (nowMs: number): string =>
  `start_time=${new Date(nowMs - 6e8).toISOString()}&end_time=${new Date(nowMs + 6e8).toISOString()}`;

describe('a project that shows no transcripts', () => {
  let fixture: ConsoleFixture;
  let sue: TestPerson;
  const get = async (
    path: string,
    name: 'runtime' | 'legacy' | 'monitoring' = 'runtime',
  ): Promise<string> => {
    const answer = await fixture.rest.fetch(`GET ${path}`, { key: fixture.rest.keys[name] });
    return `${answer.status} ${await answer.text()}`;
  };
  const list = (more = ''): string =>
    `/v3/acme/shop/conversations?limit=10&include_context_state=true&include_turn_metadata=true${more}`;
  const consoleCall = async (path: string): Promise<string> => {
    const answer = await sue.fetch(`GET ${path}`);
    return `${answer.status} ${await answer.text()}`;
  };
  beforeAll(async () => {
    fixture = await startConsoleFixture();
    const { rest } = fixture;
    sue = await fixture.signIn('supervisor');
    const atMs = rest.clock.now() - 60_000;
    await writeConversations(rest.database, [
      recorded(rest, 'CONV-said', {
        start: { atMs },
        turns: [
          said(`An ${WORD}, please`, `One ${WORD}.`, {
            userInputAtMs: atMs,
            intents: [`wants_${WORD}`],
            entities: { food: WORD },
            isOod: true,
            contextState: { wish: WORD },
            metadata: { wish: WORD },
            metrics: {
              LAST_WISH: WORD,
              WISHES: 1,
              CSAT_SCORE: '4',
              CSAT_COMMENT: `No ${WORD}!`,
              FEEDBACK: JSON.stringify({ turn: 1, rating: 'down', reason: `Wrong ${WORD}` }),
            },
          }),
        ],
        handoff: { atMs, reason: `wants an ${WORD}`, destination: 'desk' },
      }),
    ]);
    await rest.database.query(
      `INSERT INTO sessions (id, connector_id, identity, platform, streaming, state, conversation_id,
         conversation_status, agent_state, context_id, created_at, last_activity)
       VALUES ($1, $2, 'user', 'web', true, 'active', 'CONV-said', 'running', $3, 'context', $4, $4)`,
      [SESSION, rest.connector.id, JSON.stringify({ wish: WORD, _notes: { topic: null } }), atMs],
    );
  });
  afterAll(() => fixture.stop());
  const show = async (isShown: boolean): Promise<void> => {
    const settings = JSON.stringify({ conversations: { show_transcripts: isShown } });
    const { database, project } = fixture.rest;
    await database.query('UPDATE projects SET settings = settings || $2 WHERE id = $1', [
      project.id,
      settings,
    ]);
  };
  const readers = (): Readonly<Record<string, () => Promise<string>>> => ({
    'REST v3': () => get(list()),
    'REST v2': () => get(list().replace('v3', 'v2'), 'legacy'),
    'REST v1': () => get('/v1/acme/shop/conversations?limit=10', 'legacy'),
    'by id': () => get('/v1/agents/shop/conversations/CONV-said', 'monitoring'),
    'the console’s list': () => consoleCall('/conversations?limit=10'),
    'the console’s conversation': () => consoleCall('/conversations/CONV-said'),
    'what happened': () => consoleCall('/conversations/CONV-said/life'),
    'the overview': () => consoleCall('/overview?hours=24'),
    'the export': () => consoleCall('/conversation-export/jsonl'),
    'the export as a table': () => consoleCall('/conversation-export/csv'),
  });

  it('gives no word of a visitor by any call that gives it otherwise', async () => {
    await show(true);
    for (const [name, read] of Object.entries(readers())) {
      const text = await read();
      expect([name, text.slice(0, 3)]).toEqual([name, '200']);
      if (name !== 'what happened') expect([name, text.includes(WORD)]).toEqual([name, true]);
    }
    await show(false);
    for (const [name, read] of Object.entries(readers())) {
      const text = await read();
      expect([name, text.slice(0, 3), text.includes(WORD)]).toEqual([name, '200', false]);
    }
  });

  it('keeps counts, numbers, scores and ratings', async () => {
    await show(false);
    const { conversations } = JSON.parse((await get(list())).slice(4));
    expect(conversations).toMatchObject([
      { num_turns: 1, num_ood: 1, turns: [], state: {}, metrics: { WISHES: '1', CSAT_SCORE: '4' } },
    ]);
    expect(Object.keys(conversations[0].metrics).toSorted()).toEqual([
      ...['CALL_DURATION', 'CALL_TURN', 'CSAT_SCORE', 'FEEDBACK', 'WISHES'],
    ]);
    expect(conversations[0].metrics.FEEDBACK).toBe('{"turn":1,"rating":"down","reason":null}');
  });

  it('refuses to look for words, whether there are any or none', async () => {
    const range = week(fixture.rest.clock.now());
    for (const type of ['transcript', 'semantic'])
      for (const word of [WORD, 'zucchini']) {
        const search = `&${range}&query_type=${type}&query=${word}`;
        await show(true);
        expect((await get(list(search))).slice(0, 3)).toBe('200');
        await show(false);
        const refusal = expect.stringMatching(/^400 .*the project shows no transcripts/);
        expect(await get(list(search))).toEqual(refusal);
        expect(await consoleCall(`/conversations?limit=10${search}`)).toEqual(refusal);
        expect(await consoleCall(`/conversation-export/jsonl?${search.slice(1)}`)).toEqual(refusal);
      }
  });

  it('does not send the log of a conversation that is open, and sends it again once it shows transcripts', async () => {
    const { database, clock } = fixture.rest;
    await database.query(
      `INSERT INTO events (session_id, sequence, id, type, payload, bytes, created_at)
       VALUES ($1, 1, gen_random_uuid(), 'EVENT_TYPE_USER_MESSAGE', $2, 1, $3)`,
      [SESSION, JSON.stringify({ text: WORD }), clock.now()],
    );
    await show(false);
    const stream = await sue.fetch('GET /live?conversation_id=CONV-said');
    const reader = stream.body?.getReader();
    const read = async (): Promise<string> => new TextDecoder().decode((await reader?.read())?.value);
    let text = '';
    while (!text.includes('event: list')) text += await read();
    clock.skip(2_000);
    while (!text.endsWith(': still here\n\n') || text.split('still here').length < 3) text += await read();
    expect(text).not.toContain(WORD);
    await show(true);
    clock.skip(1_000);
    while (!text.includes(WORD)) text += await read();
    await reader?.cancel();
  });
});
