import { describe, expect, it } from 'vitest';
import { atOnce, readWholeBody } from '../../../test/realtime/external-events/read-whole-body.ts';
import { dataOf, readEventBody } from './event-body.ts';
import { readForm } from './read-form.ts';

const read = (text: string, type: string | null) => readWholeBody(new TextEncoder().encode(text), type);

describe('the body of an external event', () => {
  it.each([
    ['application/json', '{"a":[1]}', { a: [1] }, 'application/json'],
    ['application/cloudevents+json; charset=utf-8', '1', 1, 'application/cloudevents+json'],
    [
      'application/x-www-form-urlencoded',
      'a=1&b=x+y&a=2',
      { a: ['1', '2'], b: 'x y' },
      'application/x-www-form-urlencoded',
    ],
    [
      'application/x-www-form-urlencoded; charset=utf-8',
      '?a&&b&=c&d=e=f&b=%41+&',
      { '?a': '', b: ['', 'A '], '': 'c', d: 'e=f' },
      'application/x-www-form-urlencoded',
    ],
    ['Application/XML', '<a> </a>', '<a> </a>', 'application/xml'],
    ['text/xml', '<a/>', '<a/>', 'text/xml'],
    ['text/plain', 'a=1', 'a=1', 'text/plain'],
    [null, 'a=1', 'a=1', 'text/plain'],
  ])('of type %s is stored as what it says (EE-6)', (type, text, data, contentType) => {
    const whole = read(text, type);
    expect(whole).toMatchObject({ status: 'read', contentType });
    expect(whole.status === 'read' && dataOf(whole.body)).toEqual(data);
  });

  it.each(['application/octet-stream', 'image/png', 'text/html', 'multipart/form-data; boundary=x', 'json'])(
    'rejects a body of %s',
    (type) => {
      expect(read('x', type)).toEqual({ status: 'refused', reason: 'Unsupported content type' });
    },
  );

  it('keeps all fields of a large form', () => {
    const form = Array.from({ length: 20_000 }, (_, n) => `field${n}=${n}&both=${n}`).join('&');
    const fields = atOnce(readForm({ bytes: form, decoder: new TextDecoder('utf-8', { fatal: true }) }));
    expect(fields?.size).toBe(20_001);
    expect(fields?.get('field19999')).toBe('19999');
    expect(fields?.get('both')).toEqual(Array.from({ length: 20_000 }, (_, n) => `${n}`));
  });

  it('reads a body in its declared encoding', () => {
    const latin = Uint8Array.from([0xe9]);
    expect(readEventBody(latin, 'text/plain; charset="ISO-8859-1"')).toMatchObject({ body: { data: 'é' } });
    expect(readEventBody(latin, 'text/plain')).toMatchObject({ status: 'refused' });
    expect(read('x', 'text/plain; charset=klingon')).toMatchObject({ status: 'refused' });
  });

  const FORM = 'application/x-www-form-urlencoded';
  it.each([
    [
      'its escapes in Latin-1',
      'name=M%FCller&%FC=1',
      `${FORM}; charset=ISO-8859-1`,
      { name: 'Müller', ü: '1' },
    ],
    [
      'its bytes in Latin-1',
      Uint8Array.from([0x61, 0x3d, 0xfc]),
      `${FORM}; charset=windows-1252`,
      { a: 'ü' },
    ],
    ['its escapes in Shift JIS', 'a=%93%FA%96%7B', `${FORM}; charset=Shift_JIS`, { a: '日本' }],
    ['its escapes in UTF-8', 'a=M%C3%BCller+%E2%82%AC', FORM, { a: 'Müller €' }],
    ['an escape that is none', 'a=100%&b=%zz', FORM, { a: '100%', b: '%zz' }],
  ])('that is a form is read with %s', (_, body, type, fields) => {
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
    const whole = readWholeBody(bytes, type);
    expect(whole.status === 'read' && dataOf(whole.body)).toEqual(fields);
  });

  it('rejects undecodable bodies instead of inserting replacement characters', () => {
    const reason = 'Request body is not text in the character set it names';
    expect(read('a=%FC', FORM)).toEqual({ status: 'refused', reason });
    expect(readWholeBody(Uint8Array.from([0x61, 0x3d, 0xfc]), FORM)).toEqual({ status: 'refused', reason });
  });

  const utf16 = (text: string, mark: string) => Uint8Array.from(Buffer.from(`${mark}${text}`, 'utf16le'));
  const latin1 = (text: string) => Uint8Array.from(Buffer.from(text, 'latin1'));
  it.each([
    ['a byte order mark', utf16('<a>ü</a>', '\uFEFF'), 'application/xml', '<a>ü</a>'],
    ['a mark, against its header', utf16('<a>ü</a>', '\uFEFF'), 'text/xml; charset=utf-8', '<a>ü</a>'],
    ['UTF-16 without a mark', utf16('<a>ü</a>', ''), 'application/xml', '<a>ü</a>'],
    [
      'its header, against its declaration',
      latin1('<?xml version="1.0" encoding="UTF-8"?><a>ü</a>'),
      'text/xml; charset=iso-8859-1',
      /<a>ü<\/a>/,
    ],
    [
      'its declaration',
      latin1('<?xml version="1.0" encoding="ISO-8859-1"?><a>ü</a>'),
      'application/xml',
      /<a>ü<\/a>/,
    ],
    [
      'UTF-8, as its declaration of UTF-16 cannot be true',
      new TextEncoder().encode('<?xml version="1.0" encoding="utf-16"?><a>ü</a>'),
      'application/xml',
      /<a>ü<\/a>/,
    ],
  ])('that is XML is read by %s (RFC 7303)', (_, bytes, type, text) => {
    const whole = readWholeBody(bytes, type);
    expect(whole.status === 'read' && whole.body).toMatchObject({ data: expect.stringMatching(text) });
  });

  it.each([
    ['{"a":[{"id":9007199254740993}]}', 'a.0.id'],
    ['{"total":1e999}', 'total'],
    ['{"tiny":1e-999}', 'tiny'],
    ['{"a\\"b":{"c":12345678901234567.89}}', 'a"b.c'],
    ['[1,{"x":[],"y":[0,-9007199254740993]}]', '1.y.1'],
  ])('is refused when a number would come back as another one: %s', (json, field) => {
    const reason = `${field} is a number that cannot be stored exactly: send it as a string`;
    expect(read(json, 'application/json')).toEqual({ status: 'refused', reason });
  });

  it.each([
    '9007199254740992',
    '12345678901234567000',
    '0.10000000000000001',
    '0.30000000000000004',
    '1.7976931348623157e308',
    '5e-324',
    '1e21',
    '-0.0000000000000000000',
    '1.0000000000000000000000',
    '"9007199254740993 1e999"',
  ])('keeps the number %s', (json) => {
    expect(read(`{"a":${json}}`, 'application/json').status).toBe('read');
  });

  it('rejects JSON that is invalid, too deeply nested or of too many fields', () => {
    expect(read('{"a":', 'application/json')).toMatchObject({ reason: 'Request body is not valid JSON' });
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    expect(read(deep, 'application/json')).toMatchObject({ reason: 'Request body is nested too deeply' });
    expect(read(`${'['.repeat(200)}${']'.repeat(200)}`, 'application/json').status).toBe('read');
    const wide = `[${Array.from({ length: 20_001 }, (_, n) => `{"f${n}":1}`).join()}]`;
    expect(read(wide, 'application/json')).toMatchObject({
      reason: 'Request body has more than 20000 fields',
    });
  });
});
