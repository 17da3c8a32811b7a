import { describe, expect, it } from 'vitest';
import { withServer } from '../../testing/scripted-server.test.ts';
import { type ExternalEvent, externalEventQuerySchema, isNatterError, parseQuery } from '../index.ts';

const stored = { status: 201 };
const id = 'evt_01HF2MNW2ZQ1Z8E2S3J';

describe('external events', () => {
  it('puts the id of an external event where the caller says', async () => {
    await withServer([stored, stored, stored], async ({ externalEvents }, { seen }) => {
      const event_id_path = 'X-Event';
      await externalEvents.send({
        event_id_location: 'headers',
        event_id_path,
        event_id: id,
        content: { json: [1] },
      });
      await externalEvents.send({
        event_id_location: 'querystring',
        event_id_path: 'c id',
        event_id: id,
        content: { text: 'paid' },
      });
      await externalEvents.send({
        event_id_location: 'payload',
        event_id_path: 'meta.cid',
        content: { json: { meta: { cid: id } } },
      });
      const control = (location: string, path: string): string =>
        `/v1/external-events/webhook?event_id_location=${location}&event_id_path=${path}&account_id=acme&project_id=ferries`;
      expect(seen.map(({ url }) => url)).toEqual([
        control('headers', 'X-Event'),
        `${control('querystring', 'c%20id')}&c%20id=${id}`,
        control('payload', 'meta.cid'),
      ]);
      expect(seen[0]?.headers['x-event']).toBe(id);
      expect(seen.map(({ method, body }) => [method, body])).toEqual([
        ['POST', '[1]'],
        ['POST', 'paid'],
        ['POST', `{"meta":{"cid":"${id}"}}`],
      ]);
    });
  });

  it.each([
    ['External event id not valid', 'Send an id that the agent gave out in the last hour'],
    ['External event id not found in request', 'Check that event_id_location and event_id_path name'],
  ])('says what to do about "%s"', async (text, advice) => {
    const body = { success: false, error: text, error_message: text, error_code: 'SCHEMA_VALIDATION_FAILED' };
    await withServer([{ status: 400, body }], async ({ externalEvents }) => {
      const event: ExternalEvent = {
        event_id_location: 'payload',
        event_id_path: 'cid',
        content: { json: {} },
      };
      const error: unknown = await externalEvents.send(event).catch((thrown: unknown) => thrown);
      expect(isNatterError(error) && error.message).toContain(`${text}. ${advice}`);
    });
  });

  it.each([
    [{ json: { a: 'ä' } }, 'application/json', '{"a":"ä"}'],
    [{ form: { a: 'x y', b: '&' } }, 'application/x-www-form-urlencoded', 'a=x+y&b=%26'],
    [{ xml: '<r><cid>1</cid></r>' }, 'application/xml', '<r><cid>1</cid></r>'],
    [{ text: 'cid=1' }, 'text/plain', 'cid=1'],
  ])('sends an external event with %j', async (content, type, body) => {
    await withServer([{ status: 200 }], async ({ externalEvents }, { seen }) => {
      await externalEvents.send({ event_id_location: 'payload', event_id_path: 'cid', content });
      expect(seen[0]?.headers['content-type']).toMatch(new RegExp(`^${type}`));
      expect(seen[0]?.body).toBe(body);
    });
  });

  it.each<[ExternalEvent, string]>([
    [
      { event_id_location: 'headers', event_id_path: 'X-API-Key', event_id: 'e', content: { text: '' } },
      'event_id_path',
    ],
    [
      { event_id_location: 'headers', event_id_path: 'a b', event_id: 'e', content: { text: '' } },
      'event_id_path',
    ],
    [
      { event_id_location: 'headers', event_id_path: 'x-id', event_id: 'e\n', content: { text: '' } },
      'event_id',
    ],
    [
      { event_id_location: 'querystring', event_id_path: 'account_id', event_id: 'e', content: { text: '' } },
      'event_id_path',
    ],
    [
      { event_id_location: 'querystring', event_id_path: 'x', event_id: '', content: { text: '' } },
      'event_id',
    ],
    [{ event_id_location: 'payload', event_id_path: '', content: { text: '' } }, 'event_id_path'],
    [{ event_id_location: 'payload', event_id_path: 'x', content: { json: undefined } }, 'content'],
    [{ event_id_location: 'payload', event_id_path: 'x', content: { json: { id: 1n } } }, 'content'],
    [{ event_id_location: 'payload', event_id_path: 'x' } as ExternalEvent, 'content'],
    [{ event_id_location: 'payload', event_id_path: 'x', content: {} } as ExternalEvent, 'content'],
  ])('refuses an external event that cannot arrive: %o', async (event, field) => {
    await withServer([], async ({ externalEvents }, { seen }) => {
      const error: unknown = await externalEvents.send(event).catch((thrown: unknown) => thrown);
      expect(isNatterError(error) && error.fieldErrors[0]?.field).toBe(field);
      expect(seen).toEqual([]);
    });
  });

  it('requires all four control parameters of an external event', () => {
    const read = (query: string): unknown => parseQuery(externalEventQuerySchema, new URLSearchParams(query));
    expect(read('event_id_location=body&event_id_path=x')).toMatchObject({
      errors: [
        { field: 'event_id_location', message: 'must be one of: headers, querystring, payload' },
        { field: 'account_id', message: 'is required' },
        { field: 'project_id', message: 'is required' },
      ],
    });
  });
});
