import { describe, expect, it } from 'vitest';
import { withServer } from '../../testing/scripted-server.test.ts';
import { chatCreateBodySchema, chatRespondBodySchema, errorText, parseBody } from '../index.ts';

const created = { status: 200, body: { conversation_id: 'CONV-1', response: 'Hello' } };
const fault = (schema: Parameters<typeof parseBody>[0], body: unknown): string | null => {
  const parsed = parseBody(schema, body);
  return parsed.isOk ? null : errorText(parsed.errors);
};

describe('chat', () => {
  it('creates, responds to and closes a chat with the documented requests', async () => {
    const reply = {
      status: 200,
      body: { conversation_id: 'CONV-1', response: 'Bye', end_conversation: true },
    };
    await withServer(
      [created, reply, { status: 200, body: { success: true } }],
      async ({ chat }, { seen }) => {
        const attributes = { booking: { id: 7 } };
        expect(await chat.create({ channel: 'webchat', integration_attributes: attributes })).toEqual(
          created.body,
        );
        expect(
          await chat.respond({ conversation_id: 'CONV-1', message: 'Hi', metadata: { page: '/' } }),
        ).toEqual(reply.body);
        expect(await chat.close({ conversation_id: 'CONV-1' })).toEqual({ success: true });
        expect(seen.map(({ method, url, body }) => [method, url, JSON.parse(body)])).toEqual([
          [
            'POST',
            '/v1/acme/ferries/chat/create',
            { channel: 'webchat', integration_attributes: attributes },
          ],
          [
            'POST',
            '/v1/acme/ferries/chat/respond',
            { conversation_id: 'CONV-1', message: 'Hi', metadata: { page: '/' } },
          ],
          ['PUT', '/v1/acme/ferries/chat/close', { conversation_id: 'CONV-1' }],
        ]);
        for (const { headers } of seen) expect(headers['content-type']).toBe('application/json');
      },
    );
  });

  it('sends an empty object and a content type when a chat is created without input', async () => {
    await withServer([created], async ({ chat }, { seen }) => {
      await chat.create();
      expect(seen[0]).toMatchObject({ body: '{}', headers: { 'content-type': 'application/json' } });
    });
  });

  it('reads a handoff, and answers with missing fields', async () => {
    const answers = [
      {
        conversation_id: 'c',
        response: 'One moment',
        end_conversation: true,
        handoff: { destination: 'desk', reason: 'lost' },
      },
      { conversation_id: 'c', response: null, handoff: { destination: 'desk' } },
      { conversation_id: 'c', handoff: null, extra: 1 },
    ];
    await withServer(
      answers.map((body) => ({ status: 200, body })),
      async ({ chat }) => {
        const body = { conversation_id: 'c' };
        expect(await chat.respond(body)).toEqual(answers[0]);
        expect(await chat.respond(body)).toEqual({
          conversation_id: 'c',
          response: '',
          end_conversation: true,
          handoff: { destination: 'desk', reason: '' },
        });
        expect(await chat.respond(body)).toEqual({
          conversation_id: 'c',
          response: '',
          end_conversation: false,
        });
      },
    );
  });
});

describe('bodies of chat', () => {
  it.each<[unknown, string]>([
    [[], 'Request body must be a JSON object'],
    ['x', 'Request body must be a JSON object'],
    [null, 'Request body must be a JSON object'],
    [{ channel: 'fax' }, 'channel must be one of: webchat, whatsapp, sms, api'],
    [{ variant_id: 5 }, 'variant_id must be a string'],
    [{ integration_attributes: [] }, 'integration_attributes must be a JSON object'],
    [
      { integration_attributes: { a: 'x'.repeat(65_536) } },
      'integration_attributes must be at most 65536 bytes of JSON',
    ],
  ])('refuses the create body %#: %s', (body, text) => {
    expect(fault(chatCreateBodySchema, body)).toBe(text);
  });

  it.each<[unknown, string]>([
    [{}, 'conversation_id is required'],
    [{ conversation_id: 7 }, 'conversation_id must be a string'],
    [{ conversation_id: '' }, 'conversation_id must be a non-empty string'],
    [{ conversation_id: 'c'.repeat(129) }, 'conversation_id must be at most 128 characters'],
    [{ conversation_id: 'c', message: 1 }, 'message must be a string'],
    [{ conversation_id: 'c', message: 'ä'.repeat(65_537) }, 'message must be at most 131072 bytes of UTF-8'],
    [{ conversation_id: 'c', variant_id: 'v' }, 'variant_id is only accepted on create'],
  ])('refuses the respond body %#: %s', (body, text) => {
    expect(fault(chatRespondBodySchema, body)).toBe(text);
  });

  it('ignores attributes in a respond body, and accepts a message of exactly the limit', () => {
    const message = 'ä'.repeat(65_536);
    const parsed = parseBody(chatRespondBodySchema, {
      conversation_id: 'c',
      message,
      integration_attributes: { a: 1 },
    });
    expect(parsed).toEqual({ isOk: true, value: { conversation_id: 'c', message } });
  });
});

describe('a call with an idempotency key', () => {
  const inUse = {
    status: 409,
    headers: { 'retry-after': '0' },
    body: { success: false, error: 'in use', error_code: 'IDEMPOTENCY_KEY_IN_USE' },
  };

  it('sends the idempotency key with each attempt, and retries after a failure and while the first call runs', async () => {
    await withServer([{ status: 503 }, inUse, created], async ({ chat }, { seen }) => {
      expect(await chat.create({}, { idempotencyKey: 'once' })).toEqual(created.body);
      expect(seen.map(({ headers }) => headers['idempotency-key'])).toEqual(['once', 'once', 'once']);
    });
  });

  it('does not retry a chat call without an idempotency key, and refuses a malformed key before sending', async () => {
    await withServer([{ status: 503 }], async ({ chat }, { seen }) => {
      await expect(chat.create()).rejects.toMatchObject({ status: 503 });
      expect(seen[0]?.headers).not.toHaveProperty('idempotency-key');
      for (const idempotencyKey of ['', 'two words', 'ü', 'x'.repeat(256)])
        await expect(chat.create({}, { idempotencyKey })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
      expect(seen).toHaveLength(1);
    });
  });

  it('sends an idempotency key with numbers and external events too', async () => {
    const busy = { ...inUse, body: { success: false, error: 'Conflict', message: 'in use' } };
    await withServer(
      [busy, { status: 200, body: { dni: '+441632960001' } }, { status: 503 }, { status: 201 }],
      async ({ numbers, externalEvents }, { seen }) => {
        const options = { idempotencyKey: 'once' };
        expect(await numbers.reserve({ attributes: {} }, options)).toEqual({ dni: '+441632960001' });
        await externalEvents.send(
          { event_id_location: 'payload', event_id_path: 'id', content: { json: { id: 'evt_1' } } },
          options,
        );
        expect(seen.map(({ headers }) => headers['idempotency-key'])).toEqual(Array(4).fill('once'));
      },
    );
  });
});
