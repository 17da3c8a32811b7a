import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ConsoleFixture,
  startConsoleFixture,
  type TestPerson,
} from '../../../test/console-api/console-fixture.ts';
import { addAccount, addApiKey, addConnector, addProject, changeProject } from '../../accounts/index.ts';
import { acquireNodeLease } from '../../realtime/ownership/index.ts';

const HOUR_MS = 3_600_000;

describe('operations in the console', () => {
  let fixture: ConsoleFixture;
  let rita: TestPerson;
  beforeAll(async () => {
    fixture = await startConsoleFixture();
    rita = await fixture.signIn('admin');
  });
  afterAll(() => fixture.stop());

  const audited = async (): Promise<unknown> =>
    await fixture.rest.database.query('SELECT action, subject FROM desk_audit ORDER BY id');

  it('show this node with its figures, and a node that does not answer with its lease alone', async () => {
    const { database, services, clock } = fixture.rest;
    await acquireNodeLease(database, 'other', 60_000);
    await acquireNodeLease(database, 'gone', -1_000);
    services.figures.watch({ sockets: () => 7, sessions: () => 5 });
    services.figures.noteCommit(4);
    services.figures.noteFailure('send a letter', clock.now());
    services.figures.sample(clock.now());
    const { body } = await rita.call('GET /operations');
    expect(body).toMatchObject({
      nodes: [
        {
          node: 'test',
          is_self: true,
          lease_left_ms: null,
          figures: {
            version: expect.stringMatching(/^\d+\./),
            failures: [{ what: 'send a letter', count: 1 }],
          },
        },
        { node: 'gone', figures: null },
        { node: 'other', is_self: false, figures: null },
      ],
      database: { engine: 'pglite', is_durable: false, connections: null },
      bus: { is_shared: false, is_up: true, nodes: [] },
    });
    const [own, gone, other] = body['nodes'] as readonly {
      figures: { samples: object[] };
      lease_left_ms: number;
    }[];
    expect(own?.figures.samples.at(-1)).toMatchObject({ sockets: 7, sessions: 5, commits: 1, failures: 1 });
    expect(Reflect.get(own?.figures.samples.at(-1) ?? {}, 'commit_p95_ms')).toBeCloseTo(4, 1);
    expect(gone?.lease_left_ms).toBeLessThanOrEqual(0);
    expect(other?.lease_left_ms).toBeGreaterThan(0);
    expect((await (await fixture.signIn('supervisor')).call('GET /operations')).status).toBe(403);
  });

  it('count what waits, of the own account alone', async () => {
    const { database, project, clock } = fixture.rest;
    const other = await addAccount(database, { slug: 'elsewhere' }, clock.now());
    const far = await addProject(database, other, { slug: 'far' }, clock.now());
    const startedAtMs = clock.now() - HOUR_MS;
    for (const [index, { id }] of [project, far, far].entries())
      await database.query(
        `INSERT INTO conversations (id, project_id, variant_id, variant_name, environment, channel, language,
           from_number, to_number, started_at, num_turns, num_silences, num_ood, needs_vector)
         VALUES ($1, $2, '', '', 'live', 'WEBCHAT', 'en', '', '', $3, 1, 0, 0, true)`,
        [`CONV-${index}`, id, startedAtMs],
      );
    const { body } = await rita.call('GET /operations');
    expect(body['queues']).toMatchObject([
      { count: 0, oldest_at: null },
      { count: 0 },
      { count: 1, oldest_at: new Date(startedAtMs).toISOString() },
    ]);
  });

  it('add a key whose text works and is shown once, rotate it with an overlap, and revoke it', async () => {
    const { rest } = fixture;
    const readsWith = async (key: unknown): Promise<number> =>
      (await rest.call('GET /v3/acme/shop/conversations', { key: String(key) })).status;
    const refused = await rita.call('POST /keys', { name: 'crm', permissions: ['flying'] });
    expect([refused.status, refused.body['error_message']]).toEqual([
      400,
      expect.stringContaining('There is no permission "flying"'),
    ]);
    const added = await rita.call('POST /keys', {
      name: 'crm',
      project: 'shop',
      permissions: ['conversations'],
    });
    expect(await readsWith(added.body['secret'])).toBe(200);
    const again = await rita.call('POST /keys', { name: 'crm', permissions: ['conversations'] });
    expect(again.status).toBe(409);

    const rotated = await rita.call(`POST /keys/${String(added.body['id'])}/rotate`, { overlap_hours: 24 });
    expect([await readsWith(added.body['secret']), await readsWith(rotated.body['secret'])]).toEqual([
      200, 200,
    ]);
    const { text, body } = await rita.call('GET /keys');
    expect(text).not.toContain(String(rotated.body['secret']));
    expect((body['keys'] as object[]).filter((key) => Reflect.get(key, 'name') === 'crm')).toMatchObject([
      { state: 'active', project: 'shop', hint: String(rotated.body['secret']).slice(-4) },
      { state: 'replaced', expires_at: expect.any(String) },
    ]);
    expect((await rita.call(`POST /keys/${String(rotated.body['id'])}/revoke`)).status).toBe(200);
    expect(await readsWith(rotated.body['secret'])).toBe(401);
    expect(await audited()).toEqual([
      { action: 'add_key', subject: 'crm' },
      { action: 'rotate_key', subject: 'crm' },
      { action: 'revoke_key', subject: 'crm' },
    ]);
  });

  it('touch neither keys of every account nor anything of another account', async () => {
    const { database, clock } = fixture.rest;
    const foreign = await addAccount(database, { slug: 'foreign' }, clock.now());
    const theirs = await addProject(database, foreign, { slug: 'theirs' }, clock.now());
    const hosts = [{ kind: 'domain', value: 'example.org' }] as const;
    const { connector } = await addConnector(database, { project: theirs, name: 'web', hosts }, clock.now());
    const permissions = ['conversations'];
    const keys = await Promise.all(
      [null, foreign].map((account) => addApiKey(database, { name: 'x', account, permissions }, clock.now())),
    );
    for (const { apiKey } of keys) {
      expect((await rita.call('GET /keys')).text).not.toContain(apiKey.id);
      expect((await rita.call(`POST /keys/${apiKey.id}/revoke`)).status).toBe(404);
      expect((await rita.call(`POST /keys/${apiKey.id}/rotate`, { overlap_hours: 0 })).status).toBe(404);
    }
    expect((await rita.call(`POST /connectors/${connector.id}/revoke`)).status).toBe(404);
    expect((await rita.call(`GET /connectors/${connector.id}/impact`)).status).toBe(404);
  });

  it('add a connector, say what revoking it ends, and remove it after that alone', async () => {
    const none = await rita.call('POST /connectors', { name: 'blog' });
    expect(none.body['error_message']).toContain('name at least one host');
    const added = await rita.call('POST /connectors', { name: 'blog', domains: ['example.net'] });
    const id = String(added.body['id']);
    expect(added.body['secret']).toMatch(/^nct_/);
    const { database, clock } = fixture.rest;
    await database.query(
      `INSERT INTO sessions (id, connector_id, identity, created_at, platform, streaming, state, context_id, last_activity)
       VALUES (gen_random_uuid(), $1, 'v', $2, 'web', true, 'active', 'c', $2)`,
      [id, clock.now()],
    );
    expect((await rita.call(`GET /connectors/${id}/impact`)).body).toEqual({
      open_sessions: 1,
      removal: { sessions: 1, conversations: 0 },
    });
    expect((await rita.call(`POST /connectors/${id}/remove`)).body['error_code']).toBe('IN_USE');
    await rita.call(`POST /connectors/${id}/revoke`);
    const { body } = await rita.call('GET /connectors');
    expect(body['connectors']).toMatchObject([
      { name: 'web', revoked_at: null, hosts: [{ kind: 'domain', value: 'example.com' }] },
      { id, name: 'blog', revoked_at: expect.any(String) },
    ]);
    expect((await rita.call(`POST /connectors/${id}/remove`)).status).toBe(200);
    expect((await rita.call(`GET /connectors/${id}/impact`)).status).toBe(404);
    expect(await audited()).toMatchObject([{}, {}, {}, { action: 'add_connector' }, {}, { subject: 'blog' }]);
  });

  it('say how long projects keep their data, and what the next sweep removes', async () => {
    const { database, project } = fixture.rest;
    const retention = { conversations: null, turns: 30, events: 7, audio: null };
    await changeProject(database, project, { retention });
    await database.query('UPDATE conversations SET started_at = 1, ended_at = 2 WHERE id = $1', ['CONV-0']);
    const { body } = await rita.call('GET /retention');
    expect(body['projects']).toEqual([
      {
        slug: 'shop',
        name: 'shop',
        kinds: [
          { kind: 'conversations', days: null, due: 0 },
          { kind: 'turns', days: 30, due: 1 },
          { kind: 'events', days: 7, due: 0 },
          { kind: 'audio', days: null, due: 0 },
        ],
      },
    ]);
  });
});
