import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type RestFixture,
  type RestTestAnswer,
  startRestFixture,
} from '../../../test/api/rest/rest-fixture.ts';
import {
  type AgentScript,
  createDoor,
  createScriptedAgent,
  echoScript,
} from '../../../test/realtime/scripted-agent.ts';
import { addConnector, addProject, changeProject } from '../../accounts/index.ts';
import { AgentError } from '../../agents/index.ts';
import { storeExternalEvent } from '../../realtime/external-events/index.ts';
import { startChatFamily } from './chat-family.ts';
import { ChatService } from './chat-service.ts';

const ENDED = [410, 'ChatConversationEnded', 'Conversation has already ended.'];
const UNKNOWN = [404, 'CONVERSATIONS_NOT_FOUND', 'Conversation ID does not exist.'];

/** Status, code and text of a refusal. */
const refusalOf = ({ status, body }: RestTestAnswer): readonly unknown[] => [
  status,
  body['error_code'],
  body['error'],
];

describe('chat', () => {
  const agent = createScriptedAgent();
  const northern = createScriptedAgent(async function* () {
    yield { type: 'text', text: 'Ay up' };
  });
  let rest: RestFixture;
  beforeAll(async () => {
    rest = await startRestFixture({
      agents: new Map([
        ['ada', agent],
        ['northern', northern],
      ]),
      families: (services) => [startChatFamily(services)],
    });
    await changeProject(rest.database, rest.project, {
      variants: [
        { id: 'var-1', name: 'South', agent: null, weight: null },
        { id: 'var-2', name: 'North', agent: 'northern', weight: null },
      ],
    });
  });
  afterAll(() => rest.stop());
  beforeEach(() => {
    agent.script = echoScript;
  });

  const send = (
    method: string,
    verb: string,
    body?: object,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<RestTestAnswer> =>
    rest.call(`${method} /v1/acme/shop/chat/${verb}`, {
      key: rest.keys.runtime,
      headers: { 'content-type': 'application/json', 'x-token': rest.connectorToken, ...headers },
      ...(body !== undefined && { body }),
    });
  const create = (body?: object): Promise<RestTestAnswer> => send('POST', 'create', body);
  const begin = async (body?: object): Promise<string> =>
    String((await create(body)).body['conversation_id']);
  const respond = (id: string, message?: string, rest: object = {}): Promise<RestTestAnswer> =>
    send('POST', 'respond', { conversation_id: id, ...(message !== undefined && { message }), ...rest });
  const close = (id: string): Promise<RestTestAnswer> => send('PUT', 'close', { conversation_id: id });
  const recordOf = async (id: string): Promise<Readonly<Record<string, unknown>>> => {
    const [row] = await rest.database.query<Record<string, unknown>>(
      'SELECT * FROM conversations WHERE id = $1',
      [id],
    );
    return row ?? {};
  };
  const turnsOf = (id: string): Promise<readonly Readonly<Record<string, unknown>>[]> =>
    rest.database.query('SELECT * FROM conversation_turns WHERE conversation_id = $1 ORDER BY ordinal', [id]);
  const answering = (script: AgentScript): void => {
    agent.script = (turn) => (turn.kind === 'greeting' ? echoScript(turn) : script(turn));
  };

  it.each(['integration_attributes', 'metadata'])(
    'refuses %s nested too deeply to be stored with 400',
    async (field) => {
      const id = await begin();
      const nested = (depth: number): string => `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`;
      const send = (depth: number): Promise<RestTestAnswer> =>
        rest.call('POST /v1/acme/shop/chat/respond', {
          key: rest.keys.runtime,
          headers: { 'content-type': 'application/json', 'x-token': rest.connectorToken },
          body: `{"conversation_id":"${id}","message":"hello","${field}":${nested(depth)}}`,
        });
      for (const depth of [250, 6_000, 400_000])
        expect(refusalOf(await send(depth))).toEqual([
          400,
          'SCHEMA_VALIDATION_FAILED',
          'Request body is nested too deeply',
        ]);
      expect((await send(150)).status).toBe(200);
      expect(rest.failures).toEqual([]);
    },
  );

  it('neither stores nor sends an answer when another node has taken the conversation meanwhile (3.4)', async () => {
    const id = await begin();
    answering(async function* () {
      // Simulates another node taking over after this one was suspended for too long.
      await rest.database.query("UPDATE chats SET holder = 'another' WHERE conversation_id = $1", [id]);
      yield { type: 'text', text: 'Too late.' };
    });
    const answer = await respond(id, 'Are you there?');
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '1']);
    expect(await turnsOf(id)).toHaveLength(1);
  });

  it('creates, answers and closes a chat, each with 200 (CH-3, 3.1, 3.2, 3.3)', async () => {
    const created = await create();
    expect(created.status).toBe(200);
    expect(created.body).toEqual({
      conversation_id: expect.stringMatching(/^CONV-[0-9A-HJKMNP-TV-Z]{26}$/),
      response: 'Hello!',
    });
    const id = String(created.body['conversation_id']);
    const answer = await respond(id, 'When is the ferry?');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      conversation_id: id,
      response: 'You said: When is the ferry?',
      end_conversation: false,
    });
    const closed = await close(id);
    expect([closed.status, closed.body]).toEqual([200, { success: true }]);
  });

  it.each(['v1', 'v2', 'v3'])('serves chat on %s alike (section 3)', async (version) => {
    const { status } = await rest.call(`POST /${version}/acme/shop/chat/create`, {
      key: rest.keys.runtime,
      headers: { 'x-token': rest.connectorToken, 'content-type': 'application/json; charset=utf-8' },
    });
    expect(status).toBe(200);
  });

  it.each([undefined, 'text/plain', 'application/jsonp', ''])(
    'refuses the content type %j on every chat request, even a create without a body (CH-1)',
    async (type) => {
      for (const [method, verb] of [
        ['POST', 'create'],
        ['POST', 'respond'],
        ['PUT', 'close'],
      ]) {
        const answer = await rest.call(`${method} /v1/acme/shop/chat/${verb}`, {
          key: rest.keys.runtime,
          headers: { 'x-token': rest.connectorToken, ...(type !== undefined && { 'content-type': type }) },
        });
        const text = 'Content-Type must be application/json';
        expect(refusalOf(answer)).toEqual([400, 'SCHEMA_VALIDATION_FAILED', text]);
      }
    },
  );

  it.each([
    ['an empty id', { conversation_id: '' }, 'conversation_id must be a non-empty string'],
    [
      'an overlong id',
      { conversation_id: 'x'.repeat(129) },
      'conversation_id must be at most 128 characters',
    ],
    ['no id', {}, 'conversation_id is required'],
    ['a variant', { conversation_id: 'x', variant_id: 'v' }, 'variant_id is only accepted on create'],
    ['a number for a message', { conversation_id: 'x', message: 7 }, 'message must be a string'],
    ['a list for metadata', { conversation_id: 'x', metadata: [] }, 'metadata must be a JSON object'],
  ])('refuses a respond call with %s (CH-2, 3.2)', async (_, body, text) => {
    expect(refusalOf(await send('POST', 'respond', body))).toEqual([400, 'SCHEMA_VALIDATION_FAILED', text]);
  });

  it('accepts a chat message of 131072 bytes and refuses one byte more (3.2)', async () => {
    const id = await begin();
    expect((await respond(id, 'é'.repeat(65_536))).status).toBe(200);
    const text = 'message must be at most 131072 bytes of UTF-8';
    expect(refusalOf(await respond(id, `${'é'.repeat(65_536)}x`))).toEqual([
      400,
      'SCHEMA_VALIDATION_FAILED',
      text,
    ]);
  });

  it('refuses a respond call once the record is full', async () => {
    const id = await begin();
    await rest.database.query(
      "UPDATE conversation_turns SET user_input = repeat('x', 16777216) WHERE conversation_id = $1",
      [id],
    );
    expect((await respond(id, 'one more')).status).toBe(429);
    expect((await close(id)).status).toBe(200);
  });

  it('treats a turn without input as a silence (3.2)', async () => {
    const id = await begin();
    for (const message of [undefined, '']) {
      expect((await respond(id, message)).body['response']).toBe('You said: ');
      expect(agent.turns.at(-1)).toMatchObject({ kind: 'message', text: '' });
    }
    expect((await turnsOf(id)).map((turn) => turn['is_silence'])).toEqual([false, true, true]);
    expect((await recordOf(id))['num_silences']).toBe(2);
  });

  it('shows the agent the attributes of the create in every turn, and none if there were none (3.1)', async () => {
    const attributes = { customer: { tier: 'gold' } };
    const id = await begin({ integration_attributes: attributes });
    expect(agent.turns.at(-1)?.integrationAttributes).toEqual(attributes);
    await respond(id, 'hi', { integration_attributes: { customer: 'other' }, metadata: { page: 3 } });
    expect(agent.turns.at(-1)).toMatchObject({ integrationAttributes: attributes, metadata: { page: 3 } });
    const bare = await begin();
    expect(agent.turns.at(-1)?.integrationAttributes).toBeUndefined();
    await respond(bare, 'hi');
    expect(agent.turns.at(-1)?.metadata).toBeUndefined();
    expect((await turnsOf(id)).map((turn) => turn['metadata'])).toEqual([{}, { page: 3 }]);
  });

  it('refuses attributes over 64 KB (3.1)', async () => {
    const of = (size: number): object => ({ integration_attributes: { a: 'x'.repeat(size - 8) } });
    expect((await create(of(65_536))).status).toBe(200);
    const text = 'integration_attributes must be at most 65536 bytes of JSON';
    expect(refusalOf(await create(of(65_537)))).toEqual([400, 'SCHEMA_VALIDATION_FAILED', text]);
  });

  it.each([
    [undefined, 'CHAT'],
    ['api', 'CHAT'],
    ['webchat', 'WEBCHAT'],
    ['sms', 'SMS'],
    ['whatsapp', 'WHATSAPP'],
  ])("records the channel %s as %s, with the connector's environment (3.1)", async (channel, recorded) => {
    const id = await begin(channel === undefined ? {} : { channel });
    expect(await recordOf(id)).toMatchObject({
      channel: recorded,
      environment: 'live',
      project_id: rest.project.id,
      connector_id: rest.connector.id,
      from_number: '',
      ended_at: null,
    });
  });

  it('rejects an unknown channel (3.1)', async () => {
    const text = 'channel must be one of: webchat, whatsapp, sms, api';
    expect(refusalOf(await create({ channel: 'fax' }))).toEqual([400, 'SCHEMA_VALIDATION_FAILED', text]);
  });

  it('keeps the variant for the whole conversation, and rejects an unknown one (3.1)', async () => {
    expect(refusalOf(await create({ variant_id: 'var-9' }))).toEqual([
      404,
      'VARIANT_NOT_FOUND',
      'Variant ID does not exist.',
    ]);
    const id = await begin({ variant_id: 'var-2' });
    expect((await respond(id, 'hi')).body['response']).toBe('Ay up');
    expect(northern.turns.at(-1)?.variantId).toBe('var-2');
    expect(await recordOf(id)).toMatchObject({ variant_id: 'var-2', variant_name: 'North' });
    await begin({ variant_id: 'var-1' });
    expect(agent.turns.at(-1)?.variantId).toBe('var-1');
  });

  it('keeps the given language, and the one the agent switches to (3.1, 3.2)', async () => {
    const id = await begin({ asr_lang_code: 'fr-FR', tts_lang_code: 'de-DE' });
    expect(agent.turns.at(-1)?.language).toBe('de-DE');
    await respond(id, 'hi', { asr_lang_code: 'es-ES' });
    expect(agent.turns.at(-1)?.language).toBe('es-ES');
    answering(async function* () {
      yield { type: 'language', languageCode: 'it' };
      yield { type: 'text', text: 'Ciao' };
    });
    await respond(id, 'in Italian please');
    await respond(id, 'hi');
    expect(agent.turns.at(-1)?.language).toBe('it');
    expect((await recordOf(id))['language']).toBe('it');
  });

  it("refuses U+0000 in a chat's language, but continues when the agent sets one (3.1, 3.2)", async () => {
    const isRefused = [400, 'SCHEMA_VALIDATION_FAILED', expect.stringMatching(/_lang_code must not contain/)];
    expect(refusalOf(await create({ asr_lang_code: 'fr\u0000' }))).toEqual(isRefused);
    expect(refusalOf(await create({ tts_lang_code: '\u0000' }))).toEqual(isRefused);
    const id = await begin();
    expect(refusalOf(await respond(id, 'hi', { asr_lang_code: '\u0000' }))).toEqual(isRefused);
    agent.script = async function* () {
      yield { type: 'language', languageCode: 'it\u0000' };
      yield { type: 'text', text: 'Ciao' };
    };
    expect((await respond(id, 'hi')).body['response']).toBe('Ciao');
    expect((await recordOf(id))['language']).toBe('it\uFFFD');
  });

  it('passes the history and its own state to the agent', async () => {
    answering(async function* ({ text, state }) {
      yield { type: 'state', set: { count: Number(state['count'] ?? 0) + 1 } };
      yield { type: 'text', text: `answer to ${text}` };
    });
    const id = await begin();
    await respond(id, 'one');
    await respond(id, 'two');
    expect(agent.turns.at(-1)).toMatchObject({
      state: { count: 1 },
      conversationId: id,
      history: [
        { author: 'agent', text: 'Hello!' },
        { author: 'user', text: 'one' },
        { author: 'agent', text: 'answer to one' },
      ],
    });
  });

  it('answers the calls of one conversation in order of arrival (3.4)', async () => {
    const door = createDoor();
    answering(async function* ({ text }) {
      if (text === 'first') await door.opened;
      yield { type: 'text', text: `re: ${text}` };
    });
    // Called directly, because requests would arrive in arbitrary order.
    const chats = new ChatService(rest.services);
    const { conversation_id: id } = await chats.create(rest, {});
    const { conversation_id: other } = await chats.create(rest, {});
    const answers: (string | undefined)[] = [];
    const ask = async (conversationId: string, message: string): Promise<void> => {
      const { response } = await chats.respond(rest, { conversation_id: conversationId, message });
      answers.push(response);
    };
    const asked = ['first', 'second', 'third'].map((text) => ask(id, text));
    const closed = chats.close(rest, id).then(() => answers.push('closed'));
    const late = expect(ask(id, 'late')).rejects.toMatchObject({
      status: 410,
      code: 'ChatConversationEnded',
    });
    await ask(other, 'elsewhere');
    door.open();
    await Promise.all([...asked, closed, late]);
    expect(answers).toEqual(['re: elsewhere', 're: first', 're: second', 're: third', 'closed']);
  });

  it('hands off with destination and reason, which ends the chat (3.2, 3.4)', async () => {
    answering(async function* () {
      yield { type: 'text', text: 'One moment.' };
      yield {
        type: 'handoff',
        destination: 'desk',
        reason: 'POLICY',
        managed: 'server',
        data: { order: 7, shared_id: 'crm-1' },
      };
    });
    const id = await begin();
    expect((await respond(id, 'a person please')).body).toEqual({
      conversation_id: id,
      response: 'One moment.',
      end_conversation: true,
      handoff: { destination: 'desk', reason: 'POLICY' },
    });
    expect(refusalOf(await respond(id, 'hello?'))).toEqual(ENDED);
    expect(await recordOf(id)).toMatchObject({
      end_reason: 'handoff',
      handoff_reason: 'POLICY',
      handoff_destination: 'desk',
      handoff_data: { order: 7, shared_id: 'crm-1' },
      shared_id: 'crm-1',
      ended_at: expect.any(Number),
    });
  });

  it('reports that the agent ended the chat, without a handoff (3.2, 3.4)', async () => {
    answering(async function* () {
      yield { type: 'text', text: 'Goodbye' };
      yield { type: 'end' };
    });
    const id = await begin();
    expect((await respond(id, 'bye')).body).toEqual({
      conversation_id: id,
      response: 'Goodbye',
      end_conversation: true,
    });
    expect(refusalOf(await respond(id, 'hello?'))).toEqual(ENDED);
    expect((await recordOf(id))['end_reason']).toBe('agent');
  });

  it('closes an ended conversation again without changing it (3.3)', async () => {
    const id = await begin();
    await close(id);
    const before = await recordOf(id);
    expect(before).toMatchObject({ end_reason: 'closed' });
    rest.clock.skip(5_000);
    expect((await close(id)).body).toEqual({ success: true });
    expect(await recordOf(id)).toEqual(before);
    expect(refusalOf(await respond(id, 'hello?'))).toEqual(ENDED);
  });

  it('times out after the idle time, to the millisecond at the latest (3.4)', async () => {
    const id = await begin();
    rest.clock.skip(1_790_000);
    expect((await respond(id, 'still here')).status).toBe(200);
    rest.clock.skip(1_800_000);
    const timedOut = [400, 'CHAT_TIMEOUT', 'Chat session exceeded the timeout limit.'];
    expect(refusalOf(await respond(id, 'hello?'))).toEqual(timedOut);
    expect((await close(id)).status).toBe(200);
    expect(refusalOf(await respond(id, 'hello?'))).toEqual(timedOut);
    expect((await recordOf(id))['end_reason']).toBe('timed_out');
  });

  it('ends the record of a conversation that the caller abandoned (3.4)', async () => {
    const id = await begin();
    const { started_at: startedAt } = await recordOf(id);
    const [chat] = await rest.database.query<{ last_activity: number }>(
      'SELECT last_activity FROM chats WHERE conversation_id = $1',
      [id],
    );
    rest.clock.skip(1_800_000);
    // Swept every 30 s, counted from the end of the previous sweep.
    await expect
      .poll(async () => {
        rest.clock.skip(30_000);
        return (await recordOf(id))['end_reason'];
      })
      .toBe('timed_out');
    const { ended_at: endedAt } = await recordOf(id);
    expect(endedAt).toBe(Number(chat?.last_activity) + 1_800_000);
    expect(endedAt).toBeGreaterThanOrEqual(Number(startedAt) + 1_800_000);
  });

  it('ends the records of all idle conversations except one whose row cannot be read (3.4)', async () => {
    const [bad, good] = [await begin(), await begin()];
    // Beyond the exact range of numbers.
    await rest.database.query(
      'UPDATE chats SET last_activity = -9007199254740993 WHERE conversation_id = $1',
      [bad],
    );
    rest.clock.skip(1_800_000);
    await expect
      .poll(async () => {
        rest.clock.skip(30_000);
        return (await recordOf(good))['end_reason'];
      })
      .toBe('timed_out');
    expect(rest.failures.filter((line) => line.startsWith('end an idle chat:')).length).toBeGreaterThan(0);
    await rest.database.query('UPDATE chats SET last_activity = 0 WHERE conversation_id = $1', [bad]);
    await expect
      .poll(async () => {
        rest.clock.skip(300_000);
        return (await recordOf(bad))['end_reason'];
      })
      .toBe('timed_out');
  });

  it('finds no conversation of another project or connector, and no unknown one (3.4)', async () => {
    const id = await begin();
    // The database rejects U+0000, which no id contains.
    for (const unknown of ['CONV-unknown', `${id}\u0000`, '\u0000']) {
      expect(refusalOf(await respond(unknown, 'x'))).toEqual(UNKNOWN);
      expect(refusalOf(await close(unknown))).toEqual(UNKNOWN);
    }
    const hosts = [{ kind: 'domain' as const, value: 'example.com' }];
    const sibling = await addConnector(rest.database, { project: rest.project, name: 'app', hosts });
    const project = await addProject(rest.database, rest.account, { slug: 'second', agent: 'ada' });
    const foreign = await addConnector(rest.database, { project, name: 'web', hosts });
    for (const [slug, token] of [
      ['shop', sibling.token],
      ['second', foreign.token],
    ]) {
      const answer = await rest.call(`POST /v1/acme/${slug}/chat/respond`, {
        key: rest.keys.everyProject,
        headers: { 'x-token': token ?? '' },
        body: { conversation_id: id, message: 'x' },
      });
      expect(refusalOf(answer), slug).toEqual(UNKNOWN);
    }
    expect(await turnsOf(id)).toHaveLength(1);
  });

  it('delivers external events to the agent once, before it answers (EE-6)', async () => {
    const eventId = 'evt_01JD0000000000000000000000';
    answering(async function* ({ kind, event, text, externalEvents, state }) {
      if (kind === 'event') {
        yield { type: 'state', set: { paid: event?.received?.data ?? null } };
        yield { type: 'text', text: 'Thank you for paying.' };
        return;
      }
      if (text === 'pay') yield { type: 'wait_for_event', name: 'payment', timeoutMs: 60_000, eventId };
      yield { type: 'text', text: `${text}: ${JSON.stringify(state)} of ${externalEvents?.length}` };
    });
    const id = await begin();
    expect((await respond(id, 'pay')).body['response']).toBe('pay: {} of 0');
    const event = { eventId, projectId: rest.project.id, contentType: 'application/json', data: { sum: 7 } };
    expect(await storeExternalEvent(rest.database, event, rest.clock.now())).toEqual({ sessionId: null });
    expect((await respond(id, 'and now')).body['response']).toBe(
      'Thank you for paying.\n\nand now: {"paid":{"sum":7}} of 1',
    );
    expect((await respond(id, 'later')).body['response']).toBe('later: {"paid":{"sum":7}} of 1');
    expect((await turnsOf(id)).map((turn) => turn['kind'])).toEqual([
      'greeting',
      'message',
      'event',
      'message',
      'message',
    ]);
  });

  it('reports that no agent is deployed (3.4)', async () => {
    const project = await addProject(rest.database, rest.account, { slug: 'empty', agent: 'nobody' });
    const hosts = [{ kind: 'domain' as const, value: 'example.com' }];
    const { token } = await addConnector(rest.database, { project, name: 'web', hosts });
    const answer = await rest.call('POST /v1/acme/empty/chat/create', {
      key: rest.keys.everyProject,
      headers: { 'x-token': token },
      body: {},
    });
    const text = 'The draft you are attempting to chat with does not exist.';
    expect(refusalOf(answer)).toEqual([400, 'CHAT_DRAFT_NOT_EXIST', text]);
  });

  it('reports an agent failure, and continues afterwards (3.4)', async () => {
    const failing: AgentScript = async function* () {
      yield { type: 'state', set: { broken: true } };
      throw new AgentError('overloaded', 'Too much.', { retryable: true });
    };
    agent.script = failing;
    const refused = await create();
    const text = 'Our system is experiencing high load. Please try again in a moment.';
    expect(refusalOf(refused)).toEqual([500, 'CHAT_DRAFT_DEPLOYMENT_FAILED', text]);
    expect(rest.failures.join()).toContain('AgentError: Too much.');
    agent.script = echoScript;
    const id = await begin();
    agent.script = failing;
    expect(refusalOf(await respond(id, 'one'))).toEqual([500, 'CHAT_DRAFT_DEPLOYMENT_FAILED', text]);
    agent.script = echoScript;
    expect((await respond(id, 'two')).body['response']).toBe('You said: two');
    expect(agent.turns.at(-1)?.state).toEqual({});
    expect((await turnsOf(id)).map((turn) => turn['failure'])).toEqual([null, 'overloaded', null]);
  });
});
