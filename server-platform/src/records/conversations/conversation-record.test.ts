import { conversationDetailSchema, parseBody } from '@natter/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RestFixture, startRestFixture } from '../../../test/api/rest/rest-fixture.ts';
import { NOON_MS, recorded, said } from '../../../test/records/conversations/recorded.ts';
import { changeProject } from '../../accounts/index.ts';
import { writeConversations } from '../../realtime/event-log/index.ts';
import { startConversationsFamily } from './conversations-family.ts';

const FIELDS = [
  'id',
  'account_id',
  'project_id',
  'variant_id',
  'variant_name',
  'environment',
  'started_at',
  'channel',
  'in_progress',
  'from_number',
  'to_number',
  'num_turns',
  'total_duration',
  'platform_duration',
  'handoff',
  'handoff_reason',
  'handoff_destination',
  'num_silences',
  'num_ood',
  'metrics',
  'state',
  'turns',
];

type Shown = { readonly turns: readonly Record<string, unknown>[] } & Readonly<Record<string, unknown>>;

describe('the record of a conversation', () => {
  let rest: RestFixture;
  beforeAll(async () => {
    rest = await startRestFixture({
      families: async (services) => [await startConversationsFamily(services)],
    });
    await writeConversations(rest.database, [
      recorded(rest, 'CONV-1', {
        start: {
          channel: 'VOICE-SIP',
          fromNumber: '+441',
          toNumber: '+442',
          variantId: 'v',
          variantName: 'Voice',
        },
        turns: [
          said('', 'Hello!', {
            kind: 'greeting',
            userInputAtMs: null,
            agentResponseAtMs: NOON_MS + 400,
            latencyMs: 400,
          }),
          said('Boat to Farholm', 'Which day?', {
            userInputAtMs: NOON_MS + 5_000,
            userInputDtmf: '12#',
            bargeIn: true,
            intents: ['timetable'],
            entities: { place: 'Farholm', day: ['today', 'tomorrow'] },
            latencyMs: 1_234,
            metrics: { TOPIC: 'boats', SCORE: 3 },
            contextState: { place: 'Farholm' },
            metadata: { leg: 2 },
            translatedUserInput: 'Boat',
            englishAgentResponse: 'Day?',
          }),
          said('', '', { isSilence: true, agentResponseAtMs: null, latencyMs: null }),
          said('cheese', 'I do not know.', { isOod: true, metrics: { TOPIC: ['food', 'wine'] } }),
        ],
        handoff: { atMs: NOON_MS + 61_999, reason: 'POLICY', destination: 'desk' },
        end: { atMs: NOON_MS + 125_700, reason: 'handoff' },
      }),
      recorded(rest, 'CONV-2', { start: { atMs: NOON_MS + 1 } }),
    ]);
  });
  afterAll(() => rest.stop());

  const list = async (version: 'v1' | 'v2' | 'v3', query = ''): Promise<readonly Shown[]> => {
    const key = version === 'v3' ? rest.keys.runtime : rest.keys.legacy;
    const { body } = await rest.call(`GET /${version}/acme/shop/conversations?${query}`, { key });
    // The tests of the list validate its content with the SDK's schemas.
    return body['conversations'] as readonly Shown[];
  };

  it('shows all fields of a conversation in the order of 4.2, with all values of the call', async () => {
    for (const version of ['v2', 'v3'] as const) {
      const [call] = await list(version);
      expect(Object.keys(call ?? {})).toEqual(FIELDS);
      expect(call).toMatchObject({
        id: 'CONV-1',
        account_id: rest.account.id,
        project_id: rest.project.id,
        variant_id: 'v',
        variant_name: 'Voice',
        environment: 'live',
        started_at: '2026-03-02T12:00:00.000Z',
        channel: 'VOICE-SIP',
        in_progress: false,
        from_number: '+441',
        to_number: '+442',
        num_turns: 4,
        handoff: true,
        handoff_reason: 'POLICY',
        handoff_destination: 'desk',
        num_silences: 1,
        num_ood: 1,
        state: { place: 'Farholm' },
      });
    }
  });

  it('shows a missing text of a record as "", on v1 as null (CV-10, 4.3)', async () => {
    const empty = [
      'variant_id',
      'variant_name',
      'from_number',
      'to_number',
      'handoff_reason',
      'handoff_destination',
    ];
    for (const [version, value] of [
      ['v1', null],
      ['v2', ''],
      ['v3', ''],
    ] as const) {
      const [, chat] = await list(version);
      expect(chat).toMatchObject(Object.fromEntries(empty.map((name) => [name, value])));
      expect(chat).toMatchObject({
        num_turns: 0,
        platform_duration: expect.any(Number),
        handoff: false,
        metrics: {},
        state: {},
      });
    }
  });

  it("counts a record's durations in whole seconds, the platform’s until the hand-off (CV-11)", async () => {
    expect((await list('v3'))[0]).toMatchObject({ total_duration: 125, platform_duration: 61 });
  });

  it('counts the duration of a conversation in progress up to now (CV-11)', async () => {
    const before = (await list('v3'))[1]?.['total_duration'];
    rest.clock.skip(90_000);
    const after = (await list('v3'))[1];
    // The clock is running, so the duration of the two requests is added.
    const grownSeconds = Number(after?.['total_duration']) - Number(before);
    expect(grownSeconds).toBeGreaterThanOrEqual(90);
    expect(grownSeconds).toBeLessThan(120);
    expect(after?.['in_progress']).toBe(true);
  });

  it('shows a metric as a text, or as a list when written more than once (CV-12)', async () => {
    expect((await list('v3'))[0]?.['metrics']).toEqual({
      CALL_DURATION: '125',
      CALL_TURN: [
        '2026-03-02T12:00:00.400Z',
        '2026-03-02T12:00:05.000Z',
        '2026-03-02T12:00:01.000Z',
        '2026-03-02T12:00:01.000Z',
      ],
      TOPIC: ['boats', 'food', 'wine'],
      SCORE: '3',
    });
  });

  it('shows the times of the turns as a list even for a single turn (CV-12)', async () => {
    const one = recorded(rest, 'CONV-3', { start: { atMs: NOON_MS + 2 }, turns: [said('Ahoy', 'Hello!')] });
    await writeConversations(rest.database, [one]);
    expect((await list('v3'))[2]?.['metrics']).toMatchObject({ CALL_TURN: ['2026-03-02T12:00:01.000Z'] });
  });

  it('shows only the metrics that the project enables (CV-12)', async () => {
    const { conversations } = rest.project;
    for (const [responseMetrics, expected] of [
      [[], {}],
      [['SCORE'], { SCORE: '3' }],
    ] as const) {
      await changeProject(rest.database, rest.project, {
        conversations: { ...conversations, responseMetrics },
      });
      expect((await list('v3'))[0]?.['metrics']).toEqual(expected);
    }
    await changeProject(rest.database, rest.project, { conversations });
  });

  it('withholds turns but not their number when transcripts are off (CV-13)', async () => {
    const { conversations } = rest.project;
    await changeProject(rest.database, rest.project, {
      conversations: { ...conversations, showTranscripts: false },
    });
    for (const version of ['v1', 'v2', 'v3'] as const) {
      const [call] = await list(version);
      expect(call).toMatchObject({ turns: [], num_turns: 4, num_silences: 1 });
      expect(call?.['metrics']).toMatchObject({ SCORE: '3' });
      expect(call?.['metrics']).not.toHaveProperty('TOPIC');
    }
    await changeProject(rest.database, rest.project, { conversations });
    const [call] = await list('v3');
    expect(call?.turns).toHaveLength(Number(call?.['num_turns']));
  });

  it('requires the permission for conversations (CV-14)', async () => {
    const key = await rest.addKey({ permissions: ['analytics'], project: rest.project });
    const { status, body } = await rest.call('GET /v3/acme/shop/conversations', { key });
    expect([status, body['error_code']]).toEqual([403, 'USER_ACCESS_FORBIDDEN']);
  });

  it('shows the fields of a turn in their order (CV-15, CV-16)', async () => {
    const [call] = await list(
      'v3',
      'include_latency=true&include_context_state=true&include_turn_metadata=true',
    );
    expect(JSON.stringify(call?.turns[1])).toBe(
      JSON.stringify({
        user_input: 'Boat to Farholm',
        user_input_dtmf: '12#',
        user_input_datetime: '2026-03-02T12:00:05.000Z',
        barge_in: true,
        agent_response: 'Which day?',
        agent_response_datetime: '2026-03-02T12:00:06.000Z',
        intents: ['timetable'],
        entities: { place: 'Farholm', day: ['today', 'tomorrow'] },
        is_ood: false,
        is_silence: false,
        translated_user_input: 'Boat',
        english_agent_response: 'Day?',
        latency: 1.234,
        context_state: { place: 'Farholm' },
        metadata: { leg: 2 },
      }),
    );
    expect(call?.turns.map((turn) => turn['context_state'])).toEqual([
      {},
      { place: 'Farholm' },
      { place: 'Farholm' },
      { place: 'Farholm' },
    ]);
  });

  it('leaves the parts of a turn out that were not requested (CV-15)', async () => {
    for (const name of ['latency', 'context_state', 'metadata']) {
      expect((await list('v3'))[0]?.turns[1]).not.toHaveProperty(name);
    }
  });

  it('shows a missing time of a turn as "" (CV-15)', async () => {
    expect((await list('v3'))[0]?.turns[2]).toMatchObject({ agent_response_datetime: '', is_silence: true });
  });

  it('shows the greeting as a turn without input that is not a silence (CV-17)', async () => {
    expect((await list('v3'))[0]?.turns[0]).toMatchObject({
      user_input: '',
      user_input_datetime: '',
      is_silence: false,
      agent_response: 'Hello!',
    });
  });

  it('shows neither latency nor translations on v1 (4.3)', async () => {
    const [call] = await list('v1', 'include_latency=true');
    expect(Object.keys(call?.turns[1] ?? {})).toEqual([
      'user_input',
      'user_input_dtmf',
      'user_input_datetime',
      'barge_in',
      'agent_response',
      'agent_response_datetime',
      'intents',
      'entities',
      'is_ood',
      'is_silence',
    ]);
    expect(call?.turns[0]).toMatchObject({ user_input: null, user_input_datetime: null });
  });

  describe('by its id (4.4)', () => {
    const get = (id: string) =>
      rest.call(`GET /v1/agents/${rest.project.id}/conversations/${id}`, { key: rest.keys.monitoring });

    it('returns a single record with camel-case fields, and turns as in lists (4.4)', async () => {
      const { status, body } = await get('CONV-1');
      expect(status).toBe(200);
      expect(parseBody<object>(conversationDetailSchema, body).isOk).toBe(true);
      expect(body).toMatchObject({
        conversationId: 'CONV-1',
        accountId: rest.account.id,
        projectId: rest.project.id,
        startedAt: '2026-03-02T12:00:00.000Z',
        finishedAt: '2026-03-02T12:02:05.700Z',
        platformDuration: 61,
        handoffReason: 'POLICY',
        turns: [{}, { user_input: 'Boat to Farholm', latency: 1.234 }, {}, {}],
      });
      expect((await get('CONV-2')).body).not.toHaveProperty('finishedAt');
    });

    it.each(['CONV-NONE', '%00', 'x'.repeat(300)])(
      'answers 404 for a record with the id %s (4.4)',
      async (id) => {
        const { status, body } = await get(id);
        expect([status, body['error_code']]).toEqual([404, 'CONVERSATIONS_NOT_FOUND']);
      },
    );
  });
});

it('returns every text of a record unchanged, with any character, and JSON as it was stored (4.4)', async () => {
  const rest = await startRestFixture({
    families: async (services) => [await startConversationsFamily(services)],
  });
  // The statement of lists separates values by control characters.
  const text = `${String.fromCharCode(...Array.from({ length: 127 }, (_, code) => code + 1))} “é” 船 👋 \\u0000`;
  const values = { [text]: [text, '\0', '\ud83d', 1e21, null, { deep: [] }], __proto__: null, 7: 'seven' };
  await writeConversations(rest.database, [
    recorded(rest, 'CONV-1', {
      start: { variantId: text, variantName: text, fromNumber: text },
      turns: [
        said(text, text, { userInputDtmf: text, intents: [text], entities: { [text]: text } }),
        said('', '', { contextState: values, metadata: values, metrics: { [text]: text, SCORE: 1.5 } }),
      ],
      handoff: { atMs: NOON_MS, reason: text, destination: '' },
    }),
  ]);
  const query = 'include_context_state=true&include_turn_metadata=true';
  const { body } = await rest.call(`GET /v3/acme/shop/conversations?${query}`, { key: rest.keys.runtime });
  const stored = JSON.parse(JSON.stringify(values));
  expect(body['conversations']).toMatchObject([
    {
      variant_id: text,
      variant_name: text,
      from_number: text,
      handoff_reason: text,
      handoff_destination: '',
      state: stored,
      metrics: { [text]: text, SCORE: '1.5' },
      turns: [
        {
          user_input: text,
          user_input_dtmf: text,
          agent_response: text,
          intents: [text],
          entities: { [text]: text },
        },
        { user_input: '', context_state: stored, metadata: stored },
      ],
    },
  ]);
  const detail = await rest.call('GET /v1/agents/shop/conversations/CONV-1', { key: rest.keys.monitoring });
  expect(detail.body).toMatchObject({
    variantId: text,
    handoffReason: text,
    turns: [{ user_input: text }, {}],
  });
  await rest.stop();
});

it('writes a record under the vendor’s names if the deployment enables them (2)', async () => {
  const rest = await startRestFixture({
    settings: { vendorNames: { conversations: true } },
    families: async (services) => [await startConversationsFamily(services)],
  });
  await writeConversations(rest.database, [recorded(rest, 'CONV-1')]);
  const { body } = await rest.call('GET /v3/acme/shop/conversations', { key: rest.keys.runtime });
  const [record] = body['conversations'] as readonly object[];
  const accountId = rest.account.id.replace('ACCOUNT-', 'ws-');
  expect(record).toHaveProperty('account_id', accountId);
  // Written records can be read.
  const again = await rest.call(`GET /v3/${accountId}/shop/conversations`, { key: rest.keys.runtime });
  expect(again.body['conversations']).toHaveLength(1);
  expect(Object.keys(record ?? {})).toEqual(
    FIELDS.map((name) => (name === 'platform_duration' ? 'polyai_duration' : name)),
  );
  expect(body['descriptions']).toHaveProperty('conversations.polyai_duration');
  const detail = await rest.call(`GET /v1/agents/shop/conversations/CONV-1`, { key: rest.keys.monitoring });
  expect(detail.body).toHaveProperty('polyaiDuration');
  expect(detail.body).toHaveProperty('accountId', accountId);
  await rest.stop();
});
