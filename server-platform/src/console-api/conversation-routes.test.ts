import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ConsoleFixture,
  startConsoleFixture,
  type TestPerson,
} from '../../test/console-api/console-fixture.ts';

describe('conversations in the console', () => {
  let fixture: ConsoleFixture;
  let sue: TestPerson;
  beforeAll(async () => {
    fixture = await startConsoleFixture();
    sue = await fixture.signIn('supervisor');
    const { database, project, clock } = fixture.rest;
    for (const [index, words] of ['=1+1', 'Where is "the" ferry?', 'Hello'].entries()) {
      const id = `CONV-${index}`;
      const at = clock.now() - 60_000 + index;
      await database.query(
        `INSERT INTO conversations (id, project_id, variant_id, variant_name, environment, channel, language,
           from_number, to_number, started_at, ended_at, num_turns, num_silences, num_ood, needs_vector)
         VALUES ($1, $2, '', '', 'live', 'WEBCHAT', 'en', '', '', $3, $4, 1, 0, 0, false)`,
        [id, project.id, at, at + 30_000],
      );
      await database.query(
        `INSERT INTO conversation_turns (conversation_id, ordinal, kind, user_input, user_input_dtmf, user_input_at,
           barge_in, agent_response, agent_response_at, intents, entities, is_ood, is_silence, translated_user_input,
           english_agent_response, latency_ms, metrics, context_state, metadata, recorded_at, user_words, agent_words)
         VALUES ($1, 1, 'message', $2, '', $3, false, 'At nine.', $3, '[]', '{}', false, false, '', '', 700,
           '{"FEEDBACK": "{\\"turn\\":1,\\"rating\\":\\"down\\",\\"reason\\":\\"wrong\\"}"}', '{"place": "Farholm"}', '{}', $3,
           to_tsvector('simple', $2), to_tsvector('simple', 'At nine.'))`,
        [id, words, at],
      );
    }
  });
  afterAll(() => fixture.stop());

  it('come in pages with what a list shows, and through the searches', async () => {
    const first = await sue.call('GET /conversations?limit=2');
    expect(first.body['conversations']).toMatchObject([
      { id: 'CONV-0', first_words: '=1+1', median_latency_seconds: 0.7, thumbs_up: 0, thumbs_down: 1 },
      { id: 'CONV-1' },
    ]);
    const second = await sue.call(`GET /conversations?limit=2&cursor=${String(first.body['cursor'])}`);
    expect([second.body['conversations'], second.body['cursor']]).toMatchObject([[{ id: 'CONV-2' }], null]);
    const newest = await sue.call('GET /conversations?limit=2&order=newest');
    expect(newest.body['conversations']).toMatchObject([{ id: 'CONV-2' }, { id: 'CONV-1' }]);
    const older = `GET /conversations?limit=2&order=newest&cursor=${String(newest.body['cursor'])}`;
    expect((await sue.call(older)).body).toMatchObject({ conversations: [{ id: 'CONV-0' }], cursor: null });
    expect((await sue.call('GET /conversations?order=longest')).status).toBe(400);
    const range = 'start_time=2000-01-01T00:00:00Z&end_time=2100-01-01T00:00:00Z';
    const found = await sue.call(`GET /conversations?query_type=transcript&query=ferry&${range}`);
    expect(found.body['conversations']).toMatchObject([{ id: 'CONV-1' }]);
    const faulty = await sue.call('GET /conversations?query_type=transcript');
    expect([faulty.status, faulty.body['error_message']]).toEqual([
      400,
      expect.stringContaining('query is required'),
    ]);
  });

  it('are exported with the filters of the list, and cells are no formulas', async () => {
    const answer = await sue.fetch('GET /conversation-export/csv?channel=webchat');
    const file = new Uint8Array(await answer.arrayBuffer());
    // Excel takes a file without a byte order mark for one in the encoding of its machine.
    expect([...file.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const csv = new TextDecoder().decode(file);
    const lines = csv.trim().split('\r\n');
    expect(lines).toHaveLength(4);
    expect(lines[1]).toContain(",'=1+1");
    expect(lines[2]).toContain(',"Where is ""the"" ferry?"');
    const jsonl = await (await sue.fetch('GET /conversation-export/jsonl')).text();
    expect(
      jsonl
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).turns[0].agent_response),
    ).toEqual(Array(3).fill('At nine.'));
    expect((await sue.call('GET /conversation-export/xls')).status).toBe(404);
  });

  it('are counted in the overview, with latency, ratings and how many were open at once', async () => {
    const { body } = await sue.call('GET /overview?hours=24');
    expect(body).toMatchObject({
      buckets: [{ conversations: 3, handoffs: 0, languages: { en: 3 } }],
      total: { turns: 3, p50: 700, p95: 700, up: 0, down: 3, unanswered: 0, scored: 0, score: null },
      bucket_ms: 3_600_000,
    });
    const { database } = fixture.rest;
    const rate = async (id: string, score: string) =>
      await database.query('UPDATE conversation_turns SET metrics = $2::jsonb WHERE conversation_id = $1', [
        id,
        JSON.stringify({ CSAT_SCORE: score }),
      ]);
    for (const [id, score] of [
      ['CONV-0', '5'],
      ['CONV-1', '2'],
      ['CONV-2', 'good'],
    ] as const)
      await rate(id, score);
    expect((await sue.call('GET /overview')).body['total']).toMatchObject({ scored: 2, score: 3.5 });
    const down = JSON.stringify({ turn: 1, rating: 'down', reason: 'wrong' });
    await database.query(`UPDATE conversation_turns SET metrics = jsonb_build_object('FEEDBACK', $1::text)`, [
      down,
    ]);
    expect((await sue.call('GET /overview?language=de')).body).toMatchObject({ buckets: [], topics: [] });
    expect((await sue.call('GET /overview?hours=2')).status).toBe(400);
    await database.query(`UPDATE conversation_turns SET is_ood = true WHERE conversation_id = 'CONV-1'`);
    expect((await sue.call('GET /overview')).body['topics']).toMatchObject([
      { question: 'Where is "the" ferry?', count: 1, questions: [{ id: 'CONV-1' }] },
    ]);
    const { body: open } = await sue.call('GET /concurrency?hours=1');
    const peaks = Object(open['intervals']).map((each: object) =>
      Reflect.get(each, 'max_concurrent_conversations'),
    );
    expect(Math.max(...peaks)).toBe(3);
  });

  it('are shown one by one, and erased by admins alone, which the audit log says', async () => {
    const { body } = await sue.call('GET /conversations/CONV-1');
    expect(body).toMatchObject({
      conversation: {
        conversationId: 'CONV-1',
        metrics: { FEEDBACK: '{"turn":1,"rating":"down","reason":"wrong"}' },
      },
      states: { '1': { place: 'Farholm' } },
      session: null,
    });
    const { database, project } = fixture.rest;
    const show = async (isShown: boolean) =>
      await database.query('UPDATE projects SET settings = settings || $2 WHERE id = $1', [
        project.id,
        JSON.stringify({ conversations: { show_transcripts: isShown } }),
      ]);
    await show(false);
    expect((await sue.call('GET /conversations/CONV-1')).body).toMatchObject({
      conversation: { turns: [] },
      states: {},
    });
    await show(true);
    expect((await sue.call('POST /conversations/CONV-1/erase', {})).status).toBe(403);
    const rita = await fixture.signIn('admin');
    const erased = await rita.call('POST /conversations/CONV-1/erase', {});
    expect([erased.status, erased.body['erased']]).toMatchObject([200, { conversations: 1 }]);
    expect((await sue.call('GET /conversations/CONV-1')).status).toBe(404);
    const audit = await fixture.rest.database.query('SELECT action, subject FROM desk_audit ORDER BY id');
    expect(audit).toEqual([
      { action: 'export_conversations', subject: 'shop' },
      { action: 'export_conversations', subject: 'shop' },
      { action: 'erase_conversation', subject: 'CONV-1' },
    ]);
  });

  it('have a timeline, with messages where the project shows transcripts', async () => {
    const life = await sue.call('GET /conversations/CONV-2/life');
    expect(life.body).toMatchObject({
      session: null,
      conversation: { id: 'CONV-2', project: 'acme/shop', channel: 'WEBCHAT', num_turns: 1 },
      steps: [{ kind: 'turn', node: null, text: null, summary: expect.stringContaining('700 ms') }],
      notes: [expect.stringContaining('without a socket')],
      next_after: null,
    });
    expect(JSON.stringify(life.body)).not.toMatch(/Hello|At nine/);
    const told = await sue.call('GET /conversations/CONV-2/life?texts=true');
    expect(told.body['steps']).toMatchObject([{ text: 'Hello → At nine.' }]);
    const { database, project } = fixture.rest;
    const show = async (isShown: boolean) =>
      await database.query('UPDATE projects SET settings = settings || $2 WHERE id = $1', [
        project.id,
        JSON.stringify({ conversations: { show_transcripts: isShown } }),
      ]);
    await show(false);
    expect((await sue.call('GET /conversations/CONV-2/life')).status).toBe(200);
    expect(await sue.call('GET /conversations/CONV-2/life?texts=true')).toMatchObject({
      status: 403,
      body: { error_message: expect.stringContaining('shows no transcripts') },
    });
    await show(true);
    expect((await sue.call('GET /conversations/CONV-none/life')).status).toBe(404);
    const ada = await fixture.signIn('agent');
    expect((await ada.call('GET /conversations/CONV-2/life')).status).toBe(403);
  });

  it('are exported one file at a time to a person, and again once that has ended or was given up', async () => {
    const ann = await fixture.signIn('supervisor');
    const { database, project, clock } = fixture.rest;
    // More than the streams between the database and the reader take ahead.
    await database.query(
      `INSERT INTO conversations (id, project_id, variant_id, variant_name, environment, channel, language,
         from_number, to_number, started_at, ended_at, num_turns, num_silences, num_ood, needs_vector)
       SELECT 'CONV-many-' || n, $1, '', '', 'live', 'SMS', 'en', '', '', $2, $2, 0, 0, 0, false
         FROM generate_series(1, 1000) n`,
      [project.id, clock.now()],
    );
    const first = await ann.fetch('GET /conversation-export/csv');
    const second = await ann.fetch('GET /conversation-export/csv');
    expect([first.status, second.status, second.headers.get('retry-after')]).toEqual([200, 429, '10']);
    await first.body?.cancel();
    expect(await (await ann.fetch('GET /conversation-export/csv')).text()).toContain('started_at');
    expect((await ann.call('GET /conversation-export/csv?project=none')).status).toBe(404);
    expect((await ann.fetch('GET /conversation-export/csv')).status).toBe(200);
  });

  it('of any size are listed by what a row shows, and opened and exported in pieces', async () => {
    const { database, project, clock } = fixture.rest;
    await database.query(
      `INSERT INTO conversations (id, project_id, variant_id, variant_name, environment, channel, language, from_number,
         to_number, started_at, ended_at, num_turns, num_silences, num_ood, needs_vector)
       VALUES ('CONV-long', $1, '', '', 'live', 'LONG', 'en', '', '', $2, $2, 60, 0, 0, false)`,
      [project.id, clock.now()],
    );
    await database.query(
      `INSERT INTO conversation_turns (conversation_id, ordinal, kind, user_input, user_input_dtmf, user_input_at,
         barge_in, agent_response, agent_response_at, intents, entities, is_ood, is_silence, translated_user_input,
         english_agent_response, latency_ms, metrics, context_state, metadata, recorded_at, user_words, agent_words)
       SELECT 'CONV-long', n, 'message', repeat('x', 100000), '', $1, false, 'Yes.', $1, '[]', '{}', false, false, '', '',
              n, '{}', json_build_object('n', n), '{}', $1, '', '' FROM generate_series(1, 60) n`,
      [clock.now()],
    );
    const list = await sue.call('GET /conversations?channel=long');
    expect(list.body['conversations']).toMatchObject([
      { id: 'CONV-long', first_words: 'x'.repeat(160), median_latency_seconds: 0.031 },
    ]);
    expect(list.text.length).toBeLessThan(2_000);
    let after: unknown = 0;
    let turns = 0;
    for (; after !== null; ) {
      const { body, text } = await sue.call(`GET /conversations/CONV-long?after=${String(after)}`);
      expect(text.length).toBeLessThan(1_000_000);
      const { conversation, states } = body as unknown as Detail;
      expect(Object.keys(states)).toEqual(conversation.turns.map((_, index) => String(turns + index + 1)));
      turns += conversation.turns.length;
      after = body['next_after'];
    }
    expect(turns).toBe(60);
    const whole = await (await sue.fetch('GET /conversation-export/jsonl?channel=long')).text();
    expect(JSON.parse(whole).turns).toHaveLength(60);
    const life = await sue.call('GET /conversations/CONV-long/life?texts=true');
    expect(life.text.length).toBeLessThan(1_100_000);
  });
});

interface Detail {
  readonly conversation: { readonly turns: readonly object[] };
  readonly states: object;
}
