import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RestFixture, startRestFixture } from '../../../test/api/rest/rest-fixture.ts';
import { describeStorage } from '../../../test/db/describe-storage.ts';
import { startConversations } from '../../../test/records/conversations/start-conversations.ts';
import type { Sql } from '../../db/index.ts';
import { PIECE_BYTES } from './conversation-rows.ts';
import { startConversationsFamily } from './conversations-family.ts';
import { readConversations } from './read-conversations.ts';

const MB = 1_048_576;
// The texts of a turn, its JSON and the piece before it, all of which double when escaped: quotation marks are the
// worst case.
const MAX_ANSWER = 8 * MB;

/** Wraps a database to record the size of each statement's result. */
function measured(sql: Sql, sizes: number[]): Sql {
  return {
    async query(...args) {
      const rows = await sql.query<never>(...args);
      sizes.push(JSON.stringify(rows).length);
      return rows;
    },
    tx: (run) => sql.tx(run),
  };
}

async function addTurns(
  sql: Sql,
  id: string,
  count: number,
  { characters, text = 'x', metrics = '{}', state = null }: TurnsToAdd,
): Promise<void> {
  await sql.query(
    `INSERT INTO conversation_turns (conversation_id, ordinal, kind, user_input, user_input_dtmf, user_input_at,
       barge_in, agent_response, agent_response_at, intents, entities, is_ood, is_silence, translated_user_input,
       english_agent_response, latency_ms, metrics, context_state, metadata, recorded_at, user_words, agent_words)
     SELECT $1, n, 'message', repeat($2, $3::int), '', n, false, 'At nine.', n, '[]', '{}', false, false, '', '', 700,
            $4::json, $5::json, '{}', n, '', '' FROM generate_series(1, $6::int) n`,
    [id, text, characters, metrics, state, count],
  );
  await sql.query('UPDATE conversations SET num_turns = $2 WHERE id = $1', [id, count]);
}

interface TurnsToAdd {
  readonly characters: number;
  readonly text?: string;
  readonly metrics?: string;
  readonly state?: string | null;
}

describeStorage('records of any size', (engine) => {
  let rest: RestFixture;
  beforeAll(async () => {
    rest = await startRestFixture({
      engine,
      families: async (services) => [await startConversationsFamily(services)],
    });
    const { database, project } = rest;
    await startConversations(database, project.id, ['CONV-1', 'CONV-2', 'CONV-3', 'CONV-4', 'CONV-5']);
    await addTurns(database, 'CONV-1', 3, { characters: 10 });
    await addTurns(database, 'CONV-2', 100, { characters: 100_000, metrics: '{"TOPIC":"boats"}' });
    await addTurns(database, 'CONV-3', 1, { characters: 5 * MB, text: '"', state: '{"day":1}' });
    await addTurns(database, 'CONV-4', 5_000, {
      characters: 200,
      metrics: `{"NOTE":"${'n'.repeat(1_000)}"}`,
    });
    await addTurns(database, 'CONV-5', 1, { characters: 10, state: `{"all":"${'s'.repeat(MB)}"}` });
  });
  afterAll(() => rest.stop());

  it('lists large records completely except for a turn above the limit, which is marked as cut', async () => {
    const { status, body } = await rest.call('GET /v3/acme/shop/conversations?limit=100', {
      key: rest.keys.runtime,
    });
    expect(status).toBe(200);
    const found = body['conversations'] as readonly Shown[];
    expect(found.map(({ id, num_turns, turns }) => [id, num_turns, turns.length])).toEqual([
      ['CONV-1', 3, 3],
      ['CONV-2', 100, 100],
      ['CONV-3', 1, 1],
      ['CONV-4', 5_000, 5_000],
      ['CONV-5', 1, 1],
    ]);
    expect(found[1]?.turns.every(({ user_input }) => user_input.length === 100_000)).toBe(true);
    expect(found[1]?.metrics['TOPIC']).toHaveLength(100);
    expect(found[2]?.turns[0]?.user_input).toBe(`${'"'.repeat(131_072)} [cut: ${5 * MB} characters]`);
    expect(found[2]?.state).toEqual({ day: 1 });
    // Metric names are counted with their times, up to a megabyte.
    expect(found[3]?.metrics).toMatchObject({ CUT: 'true' });
    expect(found[3]?.metrics['NOTE']?.length).toBeGreaterThan(200);
    expect(found[4]?.state).toEqual({ cut: true });
  });

  it.each([2, 3, 4])('reads a large record by its id in the same pieces: CONV-%i', async (number) => {
    const path = `GET /v1/agents/${rest.project.id}/conversations/CONV-${number}`;
    const { status, body } = await rest.call(path, { key: rest.keys.monitoring });
    expect([status, (body['turns'] as readonly object[]).length]).toEqual([
      200,
      { 2: 100, 3: 1, 4: 5_000 }[number],
    ]);
  });

  it('reads large records with statements of at most a few megabytes, and pages of at most one piece', async () => {
    const sizes: number[] = [];
    const ids = ['CONV-1', 'CONV-2', 'CONV-3', 'CONV-4', 'CONV-5'];
    for await (const { id, pages } of readConversations(measured(rest.database, sizes), ids))
      for await (const turns of pages) {
        const bytes = turns.reduce((sum, { userInput }) => sum + userInput.length, 0);
        if (id !== '"CONV-3"') expect(bytes).toBeLessThan(2 * PIECE_BYTES);
      }
    expect(sizes.length).toBeGreaterThan(20);
    expect(Math.max(...sizes)).toBeLessThan(MAX_ANSWER);
  });
});

interface Shown {
  readonly id: string;
  readonly num_turns: number;
  readonly state: object;
  readonly metrics: Readonly<Record<string, string | readonly string[]>>;
  readonly turns: readonly { readonly user_input: string }[];
}
