import { reservedNumberSchema } from '@natter/sdk';
import * as v from 'valibot';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type RestFixture, startRestFixture } from '../../../test/api/rest/rest-fixture.ts';
import { createScriptedAgent } from '../../../test/realtime/scripted-agent.ts';
import type { AgentAction, AgentTurn } from '../../agents/index.ts';
import { DEFAULT_REST_CONFIG } from '../../app/config/rest-config.ts';
import { setNumberPool } from './number-pool.ts';
import { createNumbersFamily } from './numbers-family.ts';

const RESERVE = 'POST /v1/conversations/dni-reservation';
const CALL = 'POST /internal/v1/simulated-calls';
const NUMBER = '+441632960001';

/** An agent that repeats its input, and hands off, ends or fails on request. */
async function* operator(turn: AgentTurn): AsyncGenerator<AgentAction> {
  yield { type: 'state', set: { turns: Number(turn.state['turns'] ?? 0) + 1 } };
  if (turn.text === 'bye') yield { type: 'end' };
  if (turn.text === '0')
    yield { type: 'handoff', destination: 'desk', reason: 'POLICY', managed: 'server', data: { vip: true } };
  if (turn.text === 'break') throw new Error('the line is dead');
  if (turn.text === 'wait')
    yield { type: 'wait_for_event', name: 'n', timeoutMs: 1, eventId: `evt_${turn.conversationId}` };
  const name = turn.integrationAttributes?.['name'];
  yield { type: 'text', text: `${turn.kind}:${turn.text}:${turn.history.length}:${name}` };
}

describe('numbers', () => {
  let rest: RestFixture;
  beforeAll(async () => {
    rest = await startRestFixture({
      agents: new Map([['ada', createScriptedAgent(operator)]]),
      settings: { hasSimulatedCalls: true },
      families: (services) => [createNumbersFamily(services)],
    });
  });
  afterAll(() => rest.stop());
  beforeEach(async () => {
    await rest.database.query('DELETE FROM phone_numbers');
    await setNumberPool(rest.database, rest.project.id, [NUMBER]);
  });

  const reserve = (attributes: object = {}) =>
    rest.call(RESERVE, { key: rest.keys.dni, body: { attributes } });
  const dial = (body: object) => rest.call(CALL, { key: rest.keys.dni, body: { to: NUMBER, ...body } });
  const recordOf = async (id: unknown) => {
    const [conversation] = await rest.database.query('SELECT * FROM conversations WHERE id = $1', [
      String(id),
    ]);
    const turns = await rest.database.query(
      'SELECT * FROM conversation_turns WHERE conversation_id = $1 ORDER BY ordinal',
      [String(id)],
    );
    return { conversation, turns };
  };

  describe('a reservation', () => {
    it('refuses a reservation with more than 64 KiB of attributes with 400, and reserves no number', async () => {
      expect((await reserve({ customer: 'x'.repeat(65_537) })).status).toBe(400);
      expect((await reserve({ customer: 'x'.repeat(60_000) })).status).toBe(200);
    });

    it("reserves a number of the key's virtual agent (DN-2)", async () => {
      const { status, body } = await reserve({ customer: { calls: ['a'] } });
      expect(status).toBe(200);
      expect(v.parse(reservedNumberSchema, body)).toEqual({ dni: NUMBER });
    });

    it('answers 404 when no number is free, and reserves again once one is (DN-2, DN-3)', async () => {
      await reserve();
      const { status, body } = await reserve();
      expect(status).toBe(404);
      expect(body).toMatchObject({ success: false, error: 'Not Found', message: 'no available route found' });
      rest.clock.skip(DEFAULT_REST_CONFIG.dniReservationSeconds * 1000);
      expect((await reserve()).status).toBe(200);
    });

    it.each([
      ['missing attributes', {}],
      ['a list', { attributes: [] }],
      ['null', { attributes: null }],
      ['more than 64 KB', { attributes: { text: 'x'.repeat(65_536) } }],
    ])('refuses a reservation with 400 for %s (DN-1)', async (_, sent) => {
      const { status, body } = await rest.call(RESERVE, { key: rest.keys.dni, body: sent });
      expect(status).toBe(400);
      expect(body['message']).toContain('attributes');
    });

    it("answers errors of a reservation in its resource's shape (DN-5)", async () => {
      const { status, body } = await rest.call(RESERVE, { key: 'nak_unknown', body: { attributes: {} } });
      expect(status).toBe(401);
      expect(body).toEqual({
        success: false,
        error: 'Unauthorized',
        message: 'Missing or invalid API key',
        error_id: expect.any(String),
      });
    });
  });

  describe('a simulated call', () => {
    it('gives the reserved attributes to the agent and the record of a simulated call, once (DN-4)', async () => {
      await reserve({ name: 'Jane', shared_id: 'crm-7' });
      const { status, body } = await dial({ from: '+15551234', turns: [{ text: 'hello' }] });
      expect(status).toBe(200);
      expect(body).toMatchObject({
        integration_attributes: { name: 'Jane', shared_id: 'crm-7' },
        turns: [{ agent_response: 'greeting::0:Jane' }, { agent_response: 'message:hello:1:Jane' }],
        ended_by: 'user',
      });
      const { conversation } = await recordOf(body['conversation_id']);
      expect(conversation).toMatchObject({
        project_id: rest.project.id,
        channel: 'VOICE-SIP',
        environment: 'live',
        from_number: '+15551234',
        to_number: NUMBER,
        shared_id: 'crm-7',
        end_reason: 'user',
        num_turns: 2,
      });
      expect((await dial({})).body['integration_attributes']).toEqual({});
      expect((await reserve()).status).toBe(200);
    });

    it('records keys, silences and interruptions of a simulated call turn by turn', async () => {
      const { body } = await dial({
        turns: [{ dtmf: '12#' }, {}, { text: 'stop', barge_in: true }],
      });
      const { conversation, turns } = await recordOf(body['conversation_id']);
      expect(conversation).toMatchObject({ num_turns: 4, num_silences: 1 });
      expect(turns).toMatchObject([
        { kind: 'greeting', is_silence: false },
        {
          user_input: '',
          user_input_dtmf: '12#',
          is_silence: false,
          agent_response: 'message:12#:1:undefined',
        },
        { user_input: '', user_input_dtmf: '', is_silence: true, barge_in: false },
        { user_input: 'stop', is_silence: false, barge_in: true, context_state: { turns: 4 } },
      ]);
      expect(body['turns']).toMatchObject([
        {},
        { user_input_dtmf: '12#' },
        { is_silence: true },
        { barge_in: true },
      ]);
    });

    it('ends a simulated call when the agent hands off, ends it, or fails', async () => {
      const handedOff = (await dial({ turns: [{ dtmf: '0' }, { text: 'never' }] })).body;
      expect(handedOff).toMatchObject({
        ended_by: 'handoff',
        handoff: { destination: 'desk', reason: 'POLICY' },
      });
      const { conversation } = await recordOf(handedOff['conversation_id']);
      expect(conversation).toMatchObject({ handoff_destination: 'desk', handoff_data: { vip: true } });
      expect((await dial({ turns: [{ text: 'bye' }, { text: 'never' }] })).body).toMatchObject({
        ended_by: 'agent',
        turns: [{}, { user_input: 'bye' }],
      });
      const broken = (await dial({ turns: [{ text: 'break' }] })).body;
      expect(broken['ended_by']).toBe('failed');
      const { conversation: failed, turns } = await recordOf(broken['conversation_id']);
      expect(failed).toMatchObject({ end_reason: 'failed' });
      expect(turns[1]).toMatchObject({ failure: 'unavailable' });
    });

    it("accepts external events for the ids that a simulated call's agent creates", async () => {
      const { body } = await dial({ turns: [{ text: 'wait' }] });
      const rows = await rest.database.query(
        'SELECT event_id FROM external_waits WHERE conversation_id = $1',
        [String(body['conversation_id'])],
      );
      expect(rows).toEqual([{ event_id: `evt_${body['conversation_id']}` }]);
    });

    it('calls only numbers of the key’s project', async () => {
      await setNumberPool(rest.database, 'PROJECT-other', ['+441632960009']);
      expect((await dial({ to: '+441632960009' })).status).toBe(404);
      expect((await dial({ to: '+441632960008' })).status).toBe(404);
      for (const [name, body] of Object.entries({ to: { to: '12' }, turns: { turns: [{ dtmf: 'x' }] } })) {
        const refused = await dial(body);
        expect([refused.status, String(refused.body['error']).split(' ')[0]]).toEqual([400, name]);
      }
    });

    it('requires a key for number reservation', async () => {
      expect((await rest.call(CALL, { body: { to: NUMBER } })).status).toBe(401);
      expect((await rest.call(CALL, { key: rest.keys.runtime, body: { to: NUMBER } })).status).toBe(403);
    });
  });
});

describe('simulated calls that are not switched on', () => {
  it('answers a simulated call with 404 where simulated calls are disabled', async () => {
    const rest = await startRestFixture({ families: (services) => [createNumbersFamily(services)] });
    expect((await rest.call(CALL, { key: rest.keys.dni, body: { to: NUMBER } })).status).toBe(404);
    await rest.stop();
  });
});
