import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type RestFixture,
  type RestTestRequest,
  startRestFixture,
} from '../../../test/api/rest/rest-fixture.ts';
import { startConversations } from '../../../test/records/conversations/start-conversations.ts';
import { addAccount, addProject } from '../../accounts/index.ts';
import { createExternalEventsFamily } from './external-events-family.ts';
import { loadExternalState, openWait } from './external-waits-store.ts';

const ID = 'evt_01HF2MNW2ZQ1Z8E2S3JABCDEFG';
const SESSION = '6f6f4f0a-7a53-4b59-9a4e-3a1f4a2b9d10';

describe('POST /v1/external-events/webhook', () => {
  let rest: RestFixture;
  const notified: string[] = [];
  beforeAll(async () => {
    rest = await startRestFixture({
      families: (services) => [createExternalEventsFamily(services)],
      notifyAgent: (sessionId) => notified.push(sessionId),
    });
  });
  afterAll(() => rest.stop());
  beforeEach(async () => {
    notified.length = 0;
    await rest.database.query('DELETE FROM external_waits');
    const owner = { conversationId: 'CONV-1', sessionId: SESSION, projectId: rest.project.id };
    const wait = { type: 'wait_for_event', name: 'payment', timeoutMs: 1, eventId: ID } as const;
    await startConversations(rest.database, rest.project.id, ['CONV-1']);
    await openWait(rest.database, owner, wait, { nowMs: rest.clock.now() });
  });

  const control = (location: string, path: string, more: Readonly<Record<string, string>> = {}): string =>
    String(
      new URLSearchParams({
        event_id_location: location,
        event_id_path: path,
        account_id: 'acme',
        project_id: 'shop',
        ...more,
      }),
    );
  const post = (query: string, request: RestTestRequest = {}) =>
    rest.call(`POST /v1/external-events/webhook?${query}`, { key: rest.keys.externalEvents, ...request });
  const received = async () => (await loadExternalState(rest.database, 'CONV-1')).received;

  it('stores an event, answers 201 without a body, and notifies the agent (EE-1)', async () => {
    const { status, text } = await post(control('payload', 'cid'), { body: { cid: ID, amount: 12 } });
    expect([status, text]).toEqual([201, '']);
    expect(await received()).toMatchObject([
      { id: ID, contentType: 'application/json', data: { cid: ID, amount: 12 }, sendToLlm: false },
    ]);
    expect(notified).toEqual([SESSION]);
  });

  const xml = `<root><cid>${ID}</cid></root>`;
  it.each([
    ['a header', 'headers', 'X-Cid', {}, { headers: { 'x-cid': ID, 'Content-Type': 'text/plain' } }, ''],
    ['the query', 'querystring', 'cid', { cid: ID }, {}, ''],
    ['JSON', 'payload', 'a.b.0', {}, { body: { a: { b: [ID] } } }, { a: { b: [ID] } }],
    [
      'a form',
      'payload',
      'cid',
      {},
      { body: `cid=${ID}`, headers: { 'Content-Type': 'application/x-www-form-urlencoded' } },
      { cid: ID },
    ],
    ['XML', 'payload', 'cid', {}, { body: xml, headers: { 'Content-Type': 'application/xml' } }, xml],
    [
      'text',
      'payload',
      'cid',
      {},
      { body: `cid=${ID}`, headers: { 'Content-Type': 'text/plain' } },
      `cid=${ID}`,
    ],
  ])(
    'finds the id in %s and stores what was said (EE-2, EE-6)',
    async (_, location, path, more, request, data) => {
      expect((await post(control(location, path, more), request)).status).toBe(201);
      expect((await received()).map((event) => event.data)).toEqual([data]);
    },
  );

  it('reads the largest form with the most fields within a moment', async () => {
    const field = (n: number): string => `&f${n.toString(36)}=`;
    const body = `cid=${ID}${Array.from({ length: 140_000 }, (_, n) => field(n)).join('')}`;
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    expect((await post(control('payload', 'cid'), { body, headers })).status).toBe(201);
    const [event] = await received();
    expect(Object.keys(event?.data ?? {})).toHaveLength(140_001);
  });

  it("refuses more than four hundred events of a conversation with 429, but accepts another conversation's", async () => {
    await rest.database.query(
      `INSERT INTO external_events (event_id, created_at, content_type, data)
       SELECT $1, 0, 'text/plain', '1' FROM generate_series(1, 400)`,
      [ID],
    );
    const more = await post(control('querystring', 'cid', { cid: ID }));
    expect([more.status, more.headers.get('retry-after')]).toEqual([429, '3600']);
    await startConversations(rest.database, rest.project.id, ['CONV-2']);
    const owner = { conversationId: 'CONV-2', sessionId: SESSION, projectId: rest.project.id };
    const wait = { type: 'wait_for_event', name: 'other', timeoutMs: 1, eventId: 'evt_other' } as const;
    await openWait(rest.database, owner, wait, { nowMs: rest.clock.now() });
    expect((await post(control('querystring', 'cid', { cid: 'evt_other' }))).status).toBe(201);
  });

  it('accepts every parameter that names the id, and reports the ignored ones', async () => {
    const { status, headers } = await post(control('querystring', 'cid', { cid: ID, colour: 'red' }));
    expect([status, headers.get('x-natter-ignored-parameters')]).toEqual([201, 'colour']);
  });

  it('stores every post for an id, in order (EE-5)', async () => {
    for (const nr of [1, 2, 3]) await post(control('payload', 'cid'), { body: { cid: ID, nr } });
    expect((await received()).map(({ data }) => Reflect.get(Object(data), 'nr'))).toEqual([1, 2, 3]);
  });

  it('refuses a request without an id or with an invalid id with 400 (EE-4)', async () => {
    const missing = await post(control('payload', 'cid'), { body: { other: ID } });
    expect([missing.status, missing.body['error_message']]).toEqual([
      400,
      'External event id not found in request',
    ]);
    const unknown = await post(control('payload', 'cid'), { body: { cid: 'evt_unknown' } });
    expect([unknown.status, unknown.body['error_message']]).toEqual([400, 'External event id not valid']);
    rest.clock.skip(3_600_000);
    const expired = await post(control('payload', 'cid'), { body: { cid: ID } });
    expect(expired.body['error_message']).toBe('External event id not valid');
    expect(await received()).toEqual([]);
    expect(notified).toEqual([]);
  });

  it('refuses the id of an ended conversation or another project (EE-4)', async () => {
    const other = await addAccount(rest.database, { slug: 'other' });
    const project = await addProject(rest.database, other, { slug: 'shop' });
    const owner = { conversationId: 'CONV-2', sessionId: null, projectId: project.id };
    const wait = { type: 'wait_for_event', name: 'n', timeoutMs: 1, eventId: 'evt_theirs' } as const;
    await startConversations(rest.database, project.id, ['CONV-2']);
    await openWait(rest.database, owner, wait, { nowMs: rest.clock.now() });
    const theirs = await post(control('payload', 'cid'), { body: { cid: 'evt_theirs' } });
    expect(theirs.body['error_message']).toBe('External event id not valid');
    await rest.database.query("UPDATE conversations SET ended_at = 1 WHERE id = 'CONV-1'");
    const over = await post(control('payload', 'cid'), { body: { cid: ID } });
    expect(over.body['error_message']).toBe('External event id not valid');
    await rest.database.query("DELETE FROM conversations WHERE id = 'CONV-1'");
  });

  it('refuses a missing, wrong or repeated control parameter with 400 (EE-7)', async () => {
    for (const name of ['event_id_location', 'event_id_path', 'account_id', 'project_id']) {
      const query = new URLSearchParams(control('payload', 'cid'));
      query.delete(name);
      const { status, body } = await post(String(query), { body: { cid: ID } });
      expect([status, body['error_code']], name).toEqual([400, 'SCHEMA_VALIDATION_FAILED']);
      expect(body['error_message']).toContain(name);
    }
    expect((await post(control('cookies', 'cid'), { body: {} })).status).toBe(400);
    expect((await post(`${control('payload', 'cid')}&event_id_path=x`, { body: {} })).status).toBe(400);
  });

  it('refuses a body of another type, too large, or not matching its type (C-7, EE-2)', async () => {
    const image = await post(control('payload', 'cid'), {
      body: ID,
      headers: { 'Content-Type': 'image/png' },
    });
    expect([image.status, image.body['error_message']]).toEqual([400, 'Unsupported content type']);
    const text = { 'Content-Type': 'text/plain' };
    const large = await post(control('payload', 'cid'), { body: 'x'.repeat(1_048_577), headers: text });
    expect([large.status, large.body['error_code']]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    const edge = `cid=${ID}&pad=`.padEnd(1_048_576, 'x');
    expect((await post(control('payload', 'cid'), { body: edge, headers: text })).status).toBe(201);
    const broken = await post(control('querystring', 'cid', { cid: ID }), {
      body: '{',
      headers: { 'Content-Type': 'application/json' },
    });
    expect([broken.status, broken.body['error_message']]).toEqual([400, 'Request body is not valid JSON']);
  });

  it('requires a key for external events (EE-7)', async () => {
    const query = control('payload', 'cid');
    const refused = await post(query, { key: 'nak_unknown', body: { cid: ID } });
    expect([refused.status, refused.body['error_message']]).toEqual([401, 'Missing or invalid API key']);
    expect((await post(query, { key: rest.keys.runtime, body: { cid: ID } })).status).toBe(403);
  });
});
