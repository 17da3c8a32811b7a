import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type RestFixture, startRestFixture } from '../../../test/api/rest/rest-fixture.ts';
import { describeStorage } from '../../../test/db/describe-storage.ts';
import { recorded, said } from '../../../test/records/conversations/recorded.ts';
import { findWords } from '../../../test/records/erasure/find-words.ts';
import { addProject, changeProject, NO_RETENTION, type RetentionDays } from '../../accounts/index.ts';
import { openAudioOfNode } from '../../api/voice/voice-family.ts';
import { createSessionIdOfDay, dayOf, startOfDay } from '../../db/ids/index.ts';
import { openDatabase } from '../../db/index.ts';
import {
  addEventPartitions,
  listEventPartitions,
  writeConversations,
} from '../../realtime/event-log/index.ts';
import { erase } from './erase.ts';
import { removeDueDays } from './partition-retention.ts';
import { Retention } from './retention.ts';

const DAY_MS = 86_400_000;

describeStorage('retention', (engine) => {
  let rest: RestFixture;
  const retentions: Retention[] = [];
  afterEach(async () => {
    for (const retention of retentions.splice(0)) await retention.close();
    await rest.stop();
  });

  const start = async (days: Partial<RetentionDays>): Promise<void> => {
    rest = await startRestFixture({ engine });
    await changeProject(rest.database, rest.project, { retention: { ...NO_RETENTION, ...days } });
  };
  const createRetention = (removeAudio: () => Promise<void> = async () => {}): Retention => {
    const { database, clock, scheduler, countRemoved, onFailure } = rest.services;
    const onRemoved = (counts: Readonly<Record<string, number>>): void => countRemoved('retention', counts);
    const retention = new Retention({ database, clock, scheduler, removeAudio, onRemoved, onFailure });
    retentions.push(retention);
    return retention;
  };

  /** A conversation of a session: `endedDaysAgo` null means that it is open. */
  const addSession = async (
    word: string,
    {
      startedDaysAgo,
      endedDaysAgo,
    }: { readonly startedDaysAgo: number; readonly endedDaysAgo: number | null },
    facts: { readonly custom?: object; readonly vault?: object; readonly id?: string } = {},
  ): Promise<{ readonly sessionId: string; readonly conversationId: string }> => {
    const nowMs = rest.clock.now();
    const sessionId = facts.id ?? randomUUID();
    const conversationId = `CONV-${word}`;
    const startedMs = nowMs - startedDaysAgo * DAY_MS;
    const endedMs = endedDaysAgo === null ? null : nowMs - endedDaysAgo * DAY_MS;
    await rest.database.query(
      `INSERT INTO sessions (id, connector_id, identity, created_at, platform, streaming, state, conversation_id,
                             context_id, context_vault, last_activity, ended_at, last_sequence, agent_state)
       VALUES ($1, $2, 'x', $3, 'web', true, $4, $5, 'c', $6::json, $3, $7, 1, $8::json)`,
      [
        sessionId,
        rest.connector.id,
        startedMs,
        endedMs === null ? 'active' : 'ended',
        conversationId,
        facts.vault === undefined ? null : JSON.stringify(facts.vault),
        endedMs,
        JSON.stringify({ heard: `state ${word}` }),
      ],
    );
    await rest.database.query(
      `INSERT INTO events (session_id, sequence, id, type, payload, custom, bytes, created_at)
       VALUES ($1, 1, gen_random_uuid(), 'EVENT_TYPE_USER_MESSAGE', $2::json, $3::json, 100, $4)`,
      [
        sessionId,
        JSON.stringify({ text: `event ${word}` }),
        // A text that `jsonb` would reject.
        JSON.stringify({ ...facts.custom, odd: '\0' }),
        startedMs,
      ],
    );
    await rest.database.query(
      `INSERT INTO contact_requests (id, account_id, project_id, session_id, name, email, text, created_at)
       VALUES (gen_random_uuid(), $1, $2, $3, '', 'a@b.example', $4, $5)`,
      [rest.account.id, rest.project.id, sessionId, `asks ${word}`, startedMs],
    );
    await writeConversations(rest.database, [
      recorded(rest, conversationId, {
        start: { atMs: startedMs },
        turns: [said(`turn ${word}`, 'fine')],
        ...(endedMs !== null && { end: { atMs: endedMs, reason: 'user' } }),
      }),
    ]);
    return { sessionId, conversationId };
  };
  const OLD = { startedDaysAgo: 40, endedDaysAgo: 31 };
  const tablesWith = async (word: string): Promise<readonly string[]> => [
    ...new Set((await findWords(rest.database, word)).map((where) => where.split('.')[0] ?? '')),
  ];

  it('keeps everything unless a project sets a retention', async () => {
    await start({});
    await addSession('alpha', { startedDaysAgo: 4_000, endedDaysAgo: 3_999 });
    const before = await tablesWith('alpha');
    await createRetention().run();
    expect(await tablesWith('alpha')).toEqual(before);
    expect(rest.removed).toEqual([]);
  });

  it('removes the logs of sessions that ended before the retention of events, and no open one', async () => {
    await start({ events: 30 });
    await addSession('alpha', OLD);
    await addSession('bravo', { startedDaysAgo: 40, endedDaysAgo: 29 });
    await addSession('charlie', { startedDaysAgo: 400, endedDaysAgo: null });
    await createRetention().run();
    expect(await tablesWith('alpha')).toEqual(['conversation_turns', 'conversations']);
    expect(await tablesWith('bravo')).toEqual([
      'contact_requests',
      'conversation_turns',
      'conversations',
      'events',
      'sessions',
    ]);
    expect(await tablesWith('charlie')).toEqual([
      'contact_requests',
      'conversation_turns',
      'conversations',
      'events',
      'sessions',
    ]);
    expect(rest.removed).toEqual([expect.objectContaining({ why: 'retention', sessions: 1, events: 1 })]);
    expect(rest.failures).toEqual([]);
  });

  it('removes the texts of turns after their retention; the record keeps its counts and requests no vector', async () => {
    await start({ turns: 30 });
    const { conversationId } = await addSession('alpha', OLD);
    await addSession('bravo', { startedDaysAgo: 400, endedDaysAgo: null });
    await rest.database.query("INSERT INTO conversation_vectors VALUES ($1, 'e', NULL)", [conversationId]);
    await createRetention().run();
    expect(await findWords(rest.database, 'turn alpha')).toEqual([]);
    expect(await findWords(rest.database, 'turn bravo')).not.toEqual([]);
    expect(await rest.database.query('SELECT 1 FROM conversation_vectors')).toEqual([]);
    expect(
      await rest.database.query(
        'SELECT num_turns, needs_vector, turns_removed_at IS NOT NULL AS gone FROM conversations WHERE id = $1',
        [conversationId],
      ),
    ).toEqual([{ num_turns: 1, needs_vector: false, gone: true }]);
    const count = rest.removed.length;
    await createRetention().run();
    expect(rest.removed).toHaveLength(count);
  });

  it('removes everything of a conversation after its retention, even of one that never ended', async () => {
    await start({ conversations: 30 });
    await addSession('alpha', OLD);
    await addSession('bravo', { startedDaysAgo: 400, endedDaysAgo: null });
    // A call whose process died: no session, chat or end.
    await writeConversations(rest.database, [
      recorded(rest, 'CONV-call', {
        start: { atMs: rest.clock.now() - 31 * DAY_MS },
        turns: [said('charlie', '')],
      }),
    ]);
    await createRetention().run();
    expect(await findWords(rest.database, 'alpha')).toEqual([]);
    expect(await findWords(rest.database, 'charlie')).toEqual([]);
    expect(await tablesWith('bravo')).toEqual([
      'contact_requests',
      'conversation_turns',
      'conversations',
      'events',
      'sessions',
    ]);
  });

  it('removes all due conversations in batches, and none of a project without retention', async () => {
    await start({ conversations: 1 });
    const atMs = rest.clock.now() - 3 * DAY_MS;
    const ids = Array.from({ length: 110 }, (_, n) => `CONV-${n}`);
    await writeConversations(
      rest.database,
      ids.map((id) => recorded(rest, id, { start: { atMs }, end: { atMs, reason: 'user' } })),
    );
    await writeConversations(rest.database, [
      recorded(rest, 'CONV-else', {
        start: { atMs, projectId: 'PROJECT-else' },
        end: { atMs, reason: 'user' },
      }),
    ]);
    await createRetention().run();
    expect(await rest.database.query('SELECT id FROM conversations')).toEqual([{ id: 'CONV-else' }]);
    expect(rest.removed.map((counts) => counts['conversations'])).toEqual([50, 50, 10]);
  });

  it.runIf(engine.name !== 'postgres')('continues until everything that was due is removed', async () => {
    await start({ events: 30 });
    await rest.database.query(
      `INSERT INTO sessions (id, connector_id, identity, created_at, platform, streaming, state, context_id,
                             last_activity, ended_at)
       SELECT gen_random_uuid(), $1, 'x', 0, 'web', true, 'ended', 'c', 0, 0 FROM generate_series(1, 301)`,
      [rest.connector.id],
    );
    await createRetention().run();
    expect(await rest.database.query('SELECT id FROM sessions')).toEqual([]);
  });

  it('runs retention by its timer, and one conversation that cannot be removed delays no other one', async () => {
    await start({ conversations: 30 });
    const bad = await addSession('alpha', OLD);
    await addSession('bravo', OLD);
    await rest.database.query('CREATE TABLE holds (id text REFERENCES conversations (id))');
    await rest.database.query('INSERT INTO holds VALUES ($1)', [bad.conversationId]);
    createRetention();
    rest.clock.skip(60_000);
    await expect.poll(() => findWords(rest.database, 'bravo')).toEqual([]);
    await expect.poll(() => rest.failures).toEqual([expect.stringMatching(/^remove old conversations: /)]);
    expect(await findWords(rest.database, 'turn alpha')).not.toEqual([]);
    await rest.database.query('DROP TABLE holds');
    await expect
      .poll(async () => {
        rest.clock.skip(10 * 60_000);
        return await findWords(rest.database, 'alpha');
      })
      .toEqual([]);
  });

  // The embedded database has a single node.
  it.runIf(engine.name === 'postgres')('leaves retention to the node that is running it', async () => {
    await start({ conversations: 30 });
    await addSession('alpha', OLD);
    const { databaseUrl } = engine;
    const [place] = await rest.database.query<{ schema: string }>('SELECT current_schema() AS schema');
    const other = await openDatabase({ databaseUrl: databaseUrl ?? '', schema: place?.schema ?? '' });
    await other.tx(async (sql) => {
      await sql.query(
        "SELECT pg_advisory_xact_lock(hashtextextended('natter retention ' || current_schema(), 0))",
      );
      await createRetention().run();
      expect(rest.removed).toEqual([]);
    });
    await other.close();
    await createRetention().run();
    expect(await findWords(rest.database, 'alpha')).toEqual([]);
  });

  describe('by partitions', () => {
    const HOUR_DAYS = 1 / 24;
    let today: number;
    /** A project with this retention, at noon. */
    const startAtNoon = async (days: Partial<RetentionDays>): Promise<void> => {
      await start(days);
      rest.clock.skip(startOfDay(dayOf(rest.clock.now()) + 1) + DAY_MS / 2 - rest.clock.now());
      today = dayOf(rest.clock.now());
    };
    /** A session that started on the morning of a day and ended about an hour or several days later. */
    const addOfDay = async (
      word: string,
      daysAgo: number,
      { lastedDays = HOUR_DAYS, ...facts }: { readonly lastedDays?: number; readonly custom?: object } = {},
    ) => {
      const startedDaysAgo = daysAgo + 0.5 - HOUR_DAYS;
      const id = createSessionIdOfDay(today - daysAgo);
      const times = { startedDaysAgo, endedDaysAgo: startedDaysAgo - lastedDays };
      return await addSession(word, times, { id, ...facts });
    };
    const addDays = (...daysAgo: readonly number[]): Promise<void> =>
      addEventPartitions(
        rest.database,
        daysAgo.map((ago) => today - ago),
      );
    const daysThere = async (): Promise<readonly number[]> =>
      (await listEventPartitions(rest.database)).map((day) => today - day);
    /** Removals of events with their partitions only. */
    const droppedEvents = (): readonly number[] =>
      rest.removed.flatMap(({ events, sessions }) =>
        sessions === 0 && typeof events === 'number' && events > 0 ? [events] : [],
      );

    it("drops a day's partition when its last sessions are due, and keeps events of sessions that are not", async () => {
      await startAtNoon({ events: 30 });
      await addDays(31, 30);
      for (const word of ['alpha', 'bravo', 'charlie']) await addOfDay(word, 31);
      for (let n = 0; n < 16; n += 1) await addOfDay(`other-${n}`, 31);
      await addOfDay('delta', 31, { lastedDays: 10 });
      // Also ended thirty days ago, but not a whole day.
      await addOfDay('echo', 30);
      await createRetention().run();
      expect(droppedEvents()).toEqual([19]);
      for (const word of ['alpha', 'bravo', 'charlie'])
        expect(await tablesWith(word)).toEqual(['conversation_turns', 'conversations']);
      for (const word of ['delta', 'echo'])
        expect(await findWords(rest.database, `event ${word}`)).not.toEqual([]);
      expect(await daysThere()).toEqual([31, 30, 0, -1, -2, -3]);

      rest.clock.skip(DAY_MS);
      await createRetention().run();
      expect(droppedEvents()).toEqual([19, 1]);
      expect(await findWords(rest.database, 'event echo')).toEqual([]);
      expect(await findWords(rest.database, 'event delta')).not.toEqual([]);
      expect(await daysThere()).toEqual([31, 0, -1, -2, -3, -4]);

      rest.clock.skip(10 * DAY_MS);
      await createRetention().run();
      expect(await findWords(rest.database, 'event delta')).toEqual([]);
      expect((await daysThere()).filter((ago) => ago > 0)).toEqual([]);
      expect(rest.failures).toEqual([]);
    });

    it('keeps a session at most a day too long, whatever day its id names', async () => {
      await startAtNoon({ events: 30, turns: 30, conversations: 30 });
      await addDays(0);
      await addSession('alpha', OLD, { id: createSessionIdOfDay(today) });
      const half = { startedDaysAgo: 31, endedDaysAgo: 30.5 };
      await addSession('bravo', half, { id: createSessionIdOfDay(today) });
      await createRetention().run();
      expect(await tablesWith('alpha')).toEqual([]);
      expect(await tablesWith('bravo')).toContain('events');
      rest.clock.skip(DAY_MS / 2 + 1);
      await createRetention().run();
      expect(await tablesWith('bravo')).toEqual([]);
    });

    it("removes row by row where more than a twentieth of a partition is kept, and another project's shorter retention", async () => {
      await startAtNoon({ events: 30 });
      const other = await addProject(rest.database, rest.account, { slug: 'keeps-for-90-days' });
      await changeProject(rest.database, other, { retention: { ...NO_RETENTION, events: 90 } });
      await addDays(91, 30);
      await addOfDay('alpha', 91);
      for (const word of ['bravo', 'charlie']) await addOfDay(word, 91, { lastedDays: 80 });
      await addOfDay('delta', 30);
      await createRetention().run();
      expect(droppedEvents()).toEqual([]);
      for (const word of ['alpha', 'delta'])
        expect(await findWords(rest.database, `event ${word}`)).toEqual([]);
      for (const word of ['bravo', 'charlie'])
        expect(await findWords(rest.database, `event ${word}`)).not.toEqual([]);
    });

    it('keeps a conversation until the partition of its events is dropped, then removes it', async () => {
      await startAtNoon({ events: 30, turns: 30, conversations: 30 });
      await addDays(31, 30);
      await addOfDay('alpha', 31);
      await addOfDay('bravo', 30);
      await createRetention().run();
      expect(droppedEvents()).toEqual([1]);
      expect(await tablesWith('alpha')).toEqual([]);
      expect(await tablesWith('bravo')).toEqual(['contact_requests', 'conversations', 'events', 'sessions']);
      rest.clock.skip(DAY_MS);
      await createRetention().run();
      expect(await tablesWith('bravo')).toEqual([]);
    });

    it('keeps the user of a conversation whose partition was dropped, so that an erasure finds the rest', async () => {
      await startAtNoon({ events: 30 });
      await addDays(31);
      await addOfDay('alpha', 31, { custom: { user_id: '42' } });
      await addOfDay('bravo', 31, { custom: { user_id: '43' } });
      await createRetention().run();
      expect(droppedEvents()).toEqual([2]);
      const removed = await erase(rest.database, rest.project, { kind: 'user', id: '42' });
      expect(removed?.counts).toMatchObject({ conversations: 1, conversation_users: 1 });
      expect(await findWords(rest.database, 'alpha')).toEqual([]);
      expect(await findWords(rest.database, 'bravo')).not.toEqual([]);
    });

    it('has partitions only if a project needs them, and drops the partitions of days without a session', async () => {
      await startAtNoon({ events: 365 });
      await addDays(3, 1);
      await createRetention().run();
      expect(await daysThere()).toEqual([1]);
      await changeProject(rest.database, rest.project, { retention: { ...NO_RETENTION, events: 100 } });
      await createRetention().run();
      expect(await daysThere()).toEqual([1, 0, -1, -2, -3]);
    });

    // The embedded database has one connection.
    it.runIf(engine.name === 'postgres')(
      'leaves a partition to the next run while a backup locks it, but for at most a day',
      async () => {
        await startAtNoon({ events: 30 });
        await addDays(31);
        // In the morning and in the evening.
        await addOfDay('alpha', 31);
        await addOfDay('bravo', 31, { lastedDays: 14 * HOUR_DAYS });
        const { databaseUrl } = engine;
        const [place] = await rest.database.query<{ schema: string }>('SELECT current_schema() AS schema');
        const other = await openDatabase({ databaseUrl: databaseUrl ?? '', schema: place?.schema ?? '' });
        await other.tx(async (sql) => {
          await sql.query('LOCK TABLE events IN ACCESS SHARE MODE');
          await createRetention().run();
        });
        await other.close();
        expect(await findWords(rest.database, 'event alpha')).toEqual([]);
        expect(await findWords(rest.database, 'event bravo')).not.toEqual([]);
        // One failure is enough, and blocks others only once.
        expect(rest.failures).toEqual([expect.stringMatching(/^add partitions of events: /)]);
        expect(droppedEvents()).toEqual([]);
        await createRetention().run();
        expect(droppedEvents()).toEqual([1]);
        expect(await daysThere()).toEqual([0, -1, -2, -3]);
      },
    );

    it('drops no partition when the retention changes during the preparation', async () => {
      await startAtNoon({ events: 30 });
      await addDays(31);
      await addOfDay('alpha', 31);
      const { database, clock } = rest.services;
      const answers = [30, 365];
      await removeDueDays(
        { database, clock, signal: new AbortController().signal, onRemoved: () => undefined },
        async () => [{ id: rest.project.id, days: { ...NO_RETENTION, events: answers.shift() ?? 0 } }],
      );
      expect(answers).toEqual([]);
      expect(await daysThere()).toEqual([31]);
      expect(await findWords(rest.database, 'event alpha')).not.toEqual([]);
    });

    it('adds partitions of the next days before it removes due data', async () => {
      await startAtNoon({ events: 30 });
      await addSession('alpha', OLD);
      const thereWhenRemoved: number[] = [];
      const { database, clock, scheduler, onFailure } = rest.services;
      const retention = new Retention({
        ...{ database, clock, scheduler, onFailure, removeAudio: async () => {} },
        onRemoved: () => void daysThere().then((days) => thereWhenRemoved.push(...days)),
      });
      retentions.push(retention);
      await retention.run();
      expect(thereWhenRemoved.slice(0, 4)).toEqual([0, -1, -2, -3]);
    });
  });

  it('clears the attributes of expired reservations, whatever the retention', async () => {
    await start({});
    const nowMs = rest.clock.now();
    await rest.database.query(
      `INSERT INTO phone_numbers (number, project_id, reserved_until, attributes)
       VALUES ('+1', $1, $2, '{"name":"gone"}'), ('+2', $1, $3, '{"name":"here"}')`,
      [rest.project.id, nowMs - 1, nowMs + 1_000_000],
    );
    await createRetention().run();
    expect(await findWords(rest.database, 'gone')).toEqual([]);
    expect(await findWords(rest.database, 'here')).toEqual(['phone_numbers.attributes']);
  });

  it('removes audio files after their retention, including those in the bucket', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'natter-retention-'));
    await start({ audio: 1 });
    const audio = await openAudioOfNode({ ...rest.services, dataDir });
    const nowMs = rest.clock.now();
    const options = { contentType: 'audio/wav', lifetimeSeconds: 3_600, origin: 'http://x', isStored: false };
    const bytes = new Uint8Array([1, 2, 3]);
    const projectId = rest.project.id;
    await audio.keep(bytes, { ...options, projectId, nowMs: nowMs - 2 * DAY_MS });
    await audio.keep(bytes, { ...options, projectId, nowMs });
    await mkdir(join(dataDir, 'audio'), { recursive: true });
    await writeFile(join(dataDir, 'audio', 'of-somebody-else.txt'), '');
    await createRetention(() =>
      audio.removeErased((error) => {
        throw error;
      }),
    ).run();
    expect(await readdir(join(dataDir, 'audio'))).toHaveLength(2);
    expect(await rest.database.query('SELECT erased_at FROM stored_audio')).toEqual([{ erased_at: null }]);
    await rm(dataDir, { recursive: true });
  });

  it('keeps the user of a conversation by page and verified context, so that an erasure finds the rest', async () => {
    await start({ events: 30 });
    await addSession('alpha', OLD, { custom: { user_id: '42' } });
    await addSession('bravo', OLD, { vault: { user_id: 42, plan: 'gold' } });
    await addSession('charlie', OLD, { custom: { user_id: '43' } });
    await addSession('delta', { startedDaysAgo: 1, endedDaysAgo: null }, { vault: { user_id: '42' } });
    await createRetention().run();
    const user = { kind: 'user', id: '42' } as const;
    const removed = await erase(rest.database, rest.project, user);
    expect(removed?.counts).toMatchObject({ conversations: 3, sessions: 1, conversation_users: 2 });
    for (const word of ['alpha', 'bravo', 'delta']) expect(await findWords(rest.database, word)).toEqual([]);
    expect(await findWords(rest.database, 'charlie')).not.toEqual([]);
    expect(await erase(rest.database, rest.project, user)).toBeNull();
  });

  it('keeps webhook deliveries that do not name the removed or erased data', async () => {
    await start({ conversations: 30 });
    const { conversationId } = await addSession('alpha', OLD);
    const live = await addSession('bravo', { startedDaysAgo: 1, endedDaysAgo: null });
    await rest.database.query(
      `INSERT INTO webhook_endpoints (id, account_id, name, url, enabled, event_types, headers, timeout_ms, secret,
                                      created_at, updated_at)
       VALUES ('whe_1', $1, 'n', 'https://x', true, '{}', '{}', 1000, 's', 0, 0)`,
      [rest.account.id],
    );
    const queue = async (body: object): Promise<void> => {
      await rest.database.query(
        `INSERT INTO webhook_deliveries (id, endpoint_id, event_type, body, state, attempts, due_at, created_at)
         VALUES (gen_random_uuid(), 'whe_1', 'alerts.triggered', $1, 'pending', 0, 0, 0)`,
        [JSON.stringify(body)],
      );
    };
    await queue({ about: conversationId });
    await queue({ about: live.sessionId });
    await queue({ about: 'something else' });
    await createRetention().run();
    expect(await rest.database.query('SELECT 1 FROM webhook_deliveries')).toHaveLength(3);
    const removed = await erase(rest.database, rest.project, { kind: 'session', id: live.sessionId });
    expect(removed?.counts).toMatchObject({ webhook_deliveries: 1 });
    expect(await rest.database.query('SELECT 1 FROM webhook_deliveries')).toHaveLength(2);
  });
});
