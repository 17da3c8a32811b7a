import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type RestFixture,
  type RestTestAnswer,
  startRestFixture,
} from '../../../test/api/rest/rest-fixture.ts';
import { addProject } from '../../accounts/index.ts';
import { type ConversationHandoff, writeConversations } from '../../realtime/event-log/index.ts';
import { createHandoffStateFamily } from './handoff-state-family.ts';

describe('handoff state', () => {
  let rest: RestFixture;
  beforeAll(async () => {
    rest = await startRestFixture({ families: (services) => [createHandoffStateFamily(services)] });
    await record('CONV-1', 'crm-1', { atMs: 100, reason: 'POLICY', destination: 'desk', data: { order: 7 } });
    await record('CONV-2', 'crm-1', { atMs: 300, reason: 'AGENT_DECISION', destination: 'billing' });
    await record('CONV-3', 'crm-1', { atMs: 200, reason: '', destination: '' });
    await record('CONV-4', null, { atMs: 100, reason: 'POLICY', destination: 'desk', sharedId: 'by-agent' });
    await record('CONV-5', 'crm-5');
  });
  afterAll(() => rest.stop());

  async function record(id: string, sharedId: string | null, handoff?: ConversationHandoff): Promise<void> {
    const start = {
      atMs: 50,
      projectId: rest.project.id,
      connectorId: null,
      variantId: '',
      variantName: '',
      environment: 'live',
      channel: 'CHAT',
      language: 'en',
      fromNumber: '',
      toNumber: '',
      sharedId,
    };
    await writeConversations(rest.database, [{ id, start, handoff }]);
  }
  const ask = (query: string, key: string = rest.keys.runtime): Promise<RestTestAnswer> =>
    rest.call(`GET /v1/acme/shop/handoff_state?${query}`, { key });

  it('returns the handoff state stored for a conversation (HS-3)', async () => {
    const { status, body } = await ask('id=CONV-1');
    expect(status).toBe(200);
    expect(body).toEqual({
      id: 'CONV-1',
      shared_id: 'crm-1',
      data: { handoff_reason: 'POLICY', handoff_destination: 'desk', order: 7 },
    });
    expect((await ask('id=CONV-3')).body['data']).toEqual({});
  });

  it('returns the state of the latest handoff with a shared id (HS-2)', async () => {
    expect((await ask('shared_id=crm-1')).body['id']).toBe('CONV-2');
  });

  it('finds a shared id set by the agent logic (HS-2)', async () => {
    expect((await ask('shared_id=by-agent')).body).toMatchObject({ id: 'CONV-4', shared_id: 'by-agent' });
  });

  it('prefers the shared id when both ids are given (section 14)', async () => {
    expect((await ask('id=CONV-1&shared_id=crm-1')).body['id']).toBe('CONV-2');
    expect((await ask('id=CONV-1&shared_id=')).body['id']).toBe('CONV-1');
  });

  it.each(['', 'id=', 'id=&shared_id='])('needs one of the two, unlike ?%s (HS-1)', async (query) => {
    const { status, body } = await ask(query);
    expect([status, body['error_code'], body['error']]).toEqual([
      400,
      'SCHEMA_VALIDATION_FAILED',
      'id or shared_id is required',
    ]);
  });

  it.each(['id=CONV-9', 'id=CONV-5', 'shared_id=crm-5', 'shared_id=nobody', 'id=%00'])(
    'finds no handoff state for ?%s (HS-1)',
    async (query) => {
      const { status, body } = await ask(query);
      expect([status, body['error_code'], body['error']]).toEqual([
        404,
        'HANDOFF_STATE_NOT_FOUND',
        'Handoff state not found',
      ]);
    },
  );

  it('refuses handoff state in shape E, and reveals nothing of another project (HS-4)', async () => {
    expect((await ask('id=CONV-1', 'nak_unknown')).status).toBe(401);
    const narrow = await rest.addKey({ permissions: ['conversations'] });
    const { status, body } = await ask('id=CONV-1', narrow);
    expect([status, body['error_message'], body['data']]).toEqual([
      403,
      'API key is not authorized for this resource',
      null,
    ]);
    await addProject(rest.database, rest.account, { slug: 'second' });
    const other = await rest.call('GET /v1/acme/second/handoff_state?id=CONV-1', {
      key: rest.keys.everyProject,
    });
    expect(other.body['error_code']).toBe('HANDOFF_STATE_NOT_FOUND');
  });
});
