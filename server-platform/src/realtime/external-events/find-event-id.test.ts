import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { atOnce, readWholeBody } from '../../../test/realtime/external-events/read-whole-body.ts';
import { findEventId } from './find-event-id.ts';

const CONTROL = { account_id: 'a', project_id: 'p' };

function find(
  location: 'headers' | 'querystring' | 'payload',
  path: string,
  {
    body = '',
    type = 'text/plain',
    headers = {},
    query = '',
  }: { body?: string; type?: string; headers?: Record<string, string>; query?: string } = {},
): string | null {
  const read = readWholeBody(new TextEncoder().encode(body), type);
  if (read.status !== 'read') throw new Error(read.reason);
  return atOnce(
    findEventId(
      { headers: new Headers(headers), query: new URLSearchParams(query), body: read.body },
      { event_id_location: location, event_id_path: path, ...CONTROL },
    ),
  );
}

const json = (value: unknown) => ({ body: JSON.stringify(value), type: 'application/json' });
const form = (body: string) => ({ body, type: 'application/x-www-form-urlencoded' });

describe('the id of an external event', () => {
  it('finds the id in the header of that name, in any case (EE-2)', () => {
    expect(find('headers', 'X-Event-Id', { headers: { 'x-event-id': 'evt_1' } })).toBe('evt_1');
    expect(find('headers', 'x.event.id', { headers: { 'X.Event.Id': 'evt_1' } })).toBe('evt_1');
    expect(find('headers', 'not a header')).toBeNull();
    expect(find('headers', 'x-other')).toBeNull();
  });

  it('finds the id in the query parameter of that name, except for the four control parameters (EE-2)', () => {
    expect(find('querystring', 'cid', { query: 'cid=evt_1&cid=evt_2' })).toBe('evt_1');
    expect(find('querystring', 'account_id', { query: 'account_id=evt_1' })).toBeNull();
  });

  it('finds the id at a dotted path, in JSON and XML (EE-2)', () => {
    const nested = { 'shop.order': { id: 'evt_1' } };
    expect(find('payload', 'shop\\.order.id', json(nested))).toBe('evt_1');
    const xml = { body: '<r><shop.order><id>evt_1</id></shop.order><a.b>evt_2</a.b></r>', type: 'text/xml' };
    expect(find('payload', 'shop\\.order.id', xml)).toBe('evt_1');
    expect(find('payload', 'a.b', xml)).toBe('evt_2');
  });

  it.each([
    ['a top-level key', 'cid', { cid: 'evt_1' }, 'evt_1'],
    [
      'a top-level key with dots before the dotted path',
      'a.b',
      { 'a.b': 'evt_1', a: { b: 'evt_2' } },
      'evt_1',
    ],
    ['the dotted path when the key itself holds no id', 'a.b', { 'a.b': {}, a: { b: 'evt_2' } }, 'evt_2'],
    ['a list by number', 'items.1.id', { items: [{}, { id: 'evt_1' }] }, 'evt_1'],
    ['a list at the top', '0', ['evt_1'], 'evt_1'],
    ['a number', 'id', { id: 17 }, '17'],
  ])('stands in JSON at %s (EE-2)', (_, path, value, id) => {
    expect(find('payload', path, json(value))).toBe(id);
  });

  it.each([
    ['what objects inherit', 'constructor.name', {}],
    ['the length of a list', 'items.length', { items: ['evt_1'] }],
    ['an empty text', 'id', { id: '' }],
    ['a text of 257 characters', 'id', { id: 'x'.repeat(257) }],
    ['true', 'id', { id: true }],
    ['null', 'id.x', { id: null }],
  ])('is never %s (EE-2)', (_, path, value) => {
    expect(find('payload', path, json(value))).toBeNull();
  });

  it('accepts ids of up to 256 characters (EE-2)', () => {
    expect(find('payload', 'id', json({ id: '𝒳'.repeat(256) }))).toBe('𝒳'.repeat(256));
  });

  it('finds the id in the form field of that name (EE-2)', () => {
    expect(find('payload', 'cid', form('a=1&cid=evt%5F1&cid=evt_2'))).toBe('evt_1');
    expect(find('payload', 'x', form('a=1'))).toBeNull();
  });

  it('finds the id in the XML element at that path (EE-2)', () => {
    const body = '<root><cid>evt_1</cid></root>';
    for (const type of ['application/xml', 'text/xml; charset=utf-8'])
      expect(find('payload', 'root.cid', { body, type })).toBe('evt_1');
    expect(
      find('payload', 'cid', { body: '<!DOCTYPE r><r><cid>evt_1</cid></r>', type: 'text/xml' }),
    ).toBeNull();
  });

  it.each([
    'cid=evt_1&status=succeeded',
    'status=ok\r\ncid = evt_1\r\n',
    'cid=evt_1',
    'no pair&cid=evt_1&cid=2',
  ])('stands in the pairs of a plain text: %j (EE-2)', (body) => {
    expect(find('payload', 'cid', { body })).toBe('evt_1');
  });

  it('finds no id in plain text without such a pair (EE-2)', () => {
    expect(find('payload', 'cid', { body: 'something happened' })).toBeNull();
  });

  it('finds only ids of 1 to 256 characters, in any body (EE-2)', () => {
    const types = fc.constantFrom(
      'application/json',
      'application/x-www-form-urlencoded',
      'application/xml',
      'text/plain',
      null,
    );
    const body = fc.oneof(
      fc.uint8Array(),
      fc.json().map((text) => new TextEncoder().encode(text)),
      fc.string().map((text) => new TextEncoder().encode(text)),
    );
    const location = fc.constantFrom('headers', 'querystring', 'payload');
    fc.assert(
      fc.property(body, types, location, fc.string({ minLength: 1 }), (bytes, type, where, path) => {
        const read = readWholeBody(bytes, type);
        if (read.status === 'refused') return;
        const request = {
          headers: new Headers(),
          query: new URLSearchParams({ [path]: 'x' }),
          body: read.body,
        };
        const id = atOnce(
          findEventId(request, { event_id_location: where, event_id_path: path, ...CONTROL }),
        );
        expect(id === null || ([...id].length >= 1 && [...id].length <= 256)).toBe(true);
      }),
    );
  });
});
