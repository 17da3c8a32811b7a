import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type RestFixture,
  type RestTestAnswer,
  startRestFixture,
} from '../../../test/api/rest/rest-fixture.ts';
import { createDoor, createScriptedAgent, echoScript } from '../../../test/realtime/scripted-agent.ts';
import { startConversations } from '../../../test/records/conversations/start-conversations.ts';
import { AgentError } from '../../agents/index.ts';
import { createExternalEventsFamily } from '../../realtime/external-events/external-events-family.ts';
import { openWait } from '../../realtime/external-events/external-waits-store.ts';
import { erase } from '../../records/erasure/erase.ts';
import { startChatFamily } from '../chat/chat-family.ts';
import { setNumberPool } from '../numbers/number-pool.ts';
import { createNumbersFamily } from '../numbers/numbers-family.ts';

const EVENT = 'evt_01HF2MNW2ZQ1Z8E2S3JABCDEFG';
const OTHER_EVENT = 'evt_01HF2MNW2ZQ1Z8E2S3JABCDEFH';

describe('a call with an Idempotency-Key (C-15)', () => {
  const agent = createScriptedAgent();
  let rest: RestFixture;
  let count = 0;
  let key: string;
  beforeAll(async () => {
    rest = await startRestFixture({
      agents: new Map([['ada', agent]]),
      families: (services) => [
        startChatFamily(services),
        createNumbersFamily(services),
        createExternalEventsFamily(services),
      ],
    });
    await setNumberPool(rest.database, rest.project.id, ['+441632960001', '+441632960002', '+441632960003']);
  });
  afterAll(() => rest.stop());
  beforeEach(() => {
    agent.script = echoScript;
    count += 1;
    key = `call-${count}`;
  });

  const chat = (
    call: string,
    body: object | string,
    headers: Readonly<Record<string, string>> = { 'Idempotency-Key': key },
  ): Promise<RestTestAnswer> =>
    rest.call(call, {
      key: rest.keys.runtime,
      headers: { 'content-type': 'application/json', 'x-token': rest.connectorToken, ...headers },
      body,
    });
  const CREATE = 'POST /v1/acme/shop/chat/create';
  const RESPOND = 'POST /v1/acme/shop/chat/respond';
  const CLOSE = 'PUT /v1/acme/shop/chat/close';
  const begin = async (): Promise<string> => String((await chat(CREATE, {}, {})).body['conversation_id']);
  const turnsOf = async (id: string): Promise<number> =>
    (await rest.database.query('SELECT 1 FROM conversation_turns WHERE conversation_id = $1', [id])).length;
  const sameAs = (first: RestTestAnswer): object => ({ status: first.status, text: first.text });
  const isReplayed = ({ headers }: RestTestAnswer): boolean => headers.get('idempotent-replayed') === 'true';

  it('creates one conversation for an idempotency key, and repeats the response', async () => {
    const first = await chat(CREATE, { channel: 'webchat' });
    expect([first.status, isReplayed(first)]).toEqual([200, false]);
    for (const body of [{ channel: 'webchat' }, '{ "channel":"webchat" }']) {
      const again = await chat(CREATE, body);
      expect(again).toMatchObject(sameAs(first));
      expect(isReplayed(again)).toBe(true);
      expect(again.headers.get('x-correlation-id')).not.toBe(first.headers.get('x-correlation-id'));
    }
    expect((await chat(CREATE, { channel: 'webchat' }, {})).text).not.toBe(first.text);
  });

  it('runs one turn for an idempotency key, and ends once', async () => {
    const id = await begin();
    const body = { conversation_id: id, message: 'Hi' };
    const first = await chat(RESPOND, body);
    expect(first.body['response']).toBe('You said: Hi');
    expect(await chat(RESPOND, body)).toMatchObject(sameAs(first));
    expect(await turnsOf(id)).toBe(2);
    // The same key for another operation identifies another call.
    expect((await chat(CLOSE, { conversation_id: id })).status).toBe(200);
    expect(isReplayed(await chat(CLOSE, { conversation_id: id }))).toBe(true);
    // Also after the conversation's end.
    expect(await chat(RESPOND, body)).toMatchObject(sameAs(first));
    const ended = await chat(RESPOND, body, { 'Idempotency-Key': `${key}-late` });
    expect(ended.status).toBe(410);
    expect(await chat(RESPOND, body, { 'Idempotency-Key': `${key}-late` })).toMatchObject(sameAs(ended));
  });

  it('answers 422 for another body under the same key, and keeps the first response', async () => {
    const id = await begin();
    const first = await chat(RESPOND, { conversation_id: id, message: 'Hi' });
    const other = await chat(RESPOND, { conversation_id: id, message: 'Bye' });
    expect([other.status, other.body['error_code']]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    expect(await chat(RESPOND, { conversation_id: id, message: 'Hi' })).toMatchObject(sameAs(first));
    expect(await turnsOf(id)).toBe(2);
  });

  it('answers 409 while the first call with a key is running', async () => {
    const id = await begin();
    const [started, door] = [createDoor(), createDoor()];
    agent.script = async function* () {
      started.open();
      await door.opened;
      yield { type: 'text', text: 'At last' };
    };
    const body = { conversation_id: id, message: 'Hi' };
    const running = chat(RESPOND, body);
    await started.opened;
    const second = await chat(RESPOND, body);
    expect([second.status, second.body['error_code'], second.headers.get('retry-after')]).toEqual([
      409,
      'IDEMPOTENCY_KEY_IN_USE',
      '1',
    ]);
    expect((await chat(RESPOND, { ...body, message: 'Bye' })).status).toBe(422);
    door.open();
    const first = await running;
    expect(first.body['response']).toBe('At last');
    expect(await chat(RESPOND, body)).toMatchObject(sameAs(first));
    expect(await turnsOf(id)).toBe(2);
  });

  it('runs one of many concurrent calls with a key, and answers the others 409 or alike', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => chat(CREATE, { channel: 'sms' })));
    const done = answers.filter(({ status }) => status === 200);
    expect(new Set(done.map(({ text }) => text)).size).toBe(1);
    expect(answers.filter(({ status }) => status !== 200).map(({ status }) => status)).toEqual(
      Array.from({ length: 20 - done.length }, () => 409),
    );
    expect(await rest.database.query("SELECT 1 FROM conversations WHERE channel ILIKE '%sms%'")).toHaveLength(
      1,
    );
  });

  it('lets a call be repeated after a failure of the platform', async () => {
    const id = await begin();
    const body = { conversation_id: id, message: 'Hi' };
    // biome-ignore lint/correctness/useYield: it fails before it says anything.
    agent.script = async function* () {
      throw new AgentError('unavailable', 'The model is away.', { retryable: true });
    };
    expect((await chat(RESPOND, body)).status).toBe(500);
    agent.script = echoScript;
    const second = await chat(RESPOND, body);
    expect([second.status, isReplayed(second)]).toEqual([200, false]);
  });

  it('answers a completed call even when the answer cannot be stored', async () => {
    agent.script = async function* () {
      await rest.database.query('ALTER TABLE idempotent_answers RENAME TO away');
      yield { type: 'text', text: 'Hello!' };
    };
    const answer = await chat(CREATE, {});
    await rest.database.query('ALTER TABLE away RENAME TO idempotent_answers');
    expect([answer.status, answer.body['response']]).toEqual([200, 'Hello!']);
    expect(rest.failures.at(-1)).toContain('store the response');
    agent.script = echoScript;
    expect((await chat(CREATE, {})).status).toBe(409);
  });

  it.each(['', 'two words', '\u00fc', 'x'.repeat(256)])('refuses the idempotency key "%s"', async (bad) => {
    const answer = await chat(CREATE, {}, { 'Idempotency-Key': bad });
    expect(answer.status).toBe(400);
    expect(answer.body['error']).toContain('Idempotency-Key');
  });

  it('applies an idempotency key per API key', async () => {
    const first = await chat(CREATE, {});
    const other = await rest.call(CREATE, {
      key: await rest.addKey({ permissions: ['chat'], project: rest.project }),
      headers: {
        'content-type': 'application/json',
        'x-token': rest.connectorToken,
        'Idempotency-Key': key,
      },
      body: {},
    });
    expect(other.status).toBe(200);
    expect(other.text).not.toBe(first.text);
  });

  it('reserves one number for an idempotency key', async () => {
    const reserve = (attributes: object) =>
      rest.call('POST /v1/conversations/dni-reservation', {
        key: rest.keys.dni,
        headers: { 'Idempotency-Key': key },
        body: { attributes },
      });
    const first = await reserve({ a: 1 });
    expect(first.status).toBe(200);
    expect(await reserve({ a: 1 })).toMatchObject(sameAs(first));
    const other = await reserve({ a: 2 });
    expect([other.status, other.body['error']]).toEqual([422, 'Unprocessable Entity']);
  });

  it('stores one external event per key, distinguished by body, query and header', async () => {
    const owner = { conversationId: 'CONV-1', sessionId: null, projectId: rest.project.id };
    await startConversations(rest.database, rest.project.id, ['CONV-1']);
    for (const eventId of [EVENT, OTHER_EVENT])
      await openWait(
        rest.database,
        owner,
        { type: 'wait_for_event', name: 'payment', timeoutMs: 1, eventId },
        { nowMs: rest.clock.now() },
      );
    const post = (eventId: string, body: object): Promise<RestTestAnswer> =>
      rest.call(
        'POST /v1/external-events/webhook?event_id_location=headers&event_id_path=X-Event&account_id=acme&project_id=shop',
        { key: rest.keys.externalEvents, headers: { 'X-Event': eventId, 'Idempotency-Key': key }, body },
      );
    for (const replayed of [false, true, true]) {
      const answer = await post(EVENT, { paid: 1 });
      expect([answer.status, answer.text, isReplayed(answer)]).toEqual([201, '', replayed]);
    }
    expect((await post(EVENT, { paid: 2 })).status).toBe(422);
    expect((await post(OTHER_EVENT, { paid: 1 })).status).toBe(422);
    expect(await rest.database.query('SELECT event_id FROM external_events')).toEqual([{ event_id: EVENT }]);
  });

  it('stores neither the key nor responses of an erased conversation', async () => {
    const secret = `${key}-secret`;
    const created = await chat(CREATE, {}, { 'Idempotency-Key': secret });
    const rows = await rest.database.query('SELECT row_to_json(k)::text AS all FROM idempotent_answers k');
    expect(JSON.stringify(rows)).not.toContain(secret);
    const ofConversation = 'SELECT 1 FROM idempotent_answers WHERE conversation_id = $1';
    const id = String(created.body['conversation_id']);
    expect(await rest.database.query(ofConversation, [id])).toHaveLength(1);
    await erase(rest.database, rest.project, { kind: 'conversation', id });
    expect(await rest.database.query(ofConversation, [id])).toEqual([]);
  });
});
