import { describe, expect, it } from 'vitest';
import { dataOf, readEventBody } from './event-body.ts';
import { readForm } from './read-form.ts';
import { atOnce, readWholeBody } from './testing/read-whole-body.ts';

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
    'is not taken as %s',
    (type) => {
      expect(read('x', type)).toEqual({ status: 'refused', reason: 'Unsupported content type' });
    },
  );

  it('of many fields keeps them all', () => {
    const form = Array.from({ length: 20_000 }, (_, n) => `field${n}=${n}&both=${n}`).join('&');
    const fields = atOnce(readForm(form));
    expect(fields.size).toBe(20_001);
    expect(fields.get('field19999')).toBe('19999');
    expect(fields.get('both')).toEqual(Array.from({ length: 20_000 }, (_, n) => `${n}`));
  });

  it('is read in the character set it names', () => {
    const latin = Uint8Array.from([0xe9]);
    expect(readEventBody(latin, 'text/plain; charset="ISO-8859-1"')).toMatchObject({ body: { data: 'é' } });
    expect(readEventBody(latin, 'text/plain')).toMatchObject({ status: 'refused' });
    expect(read('x', 'text/plain; charset=klingon')).toMatchObject({ status: 'refused' });
  });

  it('is refused when it is no JSON, or nested beyond all meaning', () => {
    expect(read('{"a":', 'application/json')).toMatchObject({ reason: 'Request body is not valid JSON' });
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    expect(read(deep, 'application/json')).toMatchObject({ reason: 'Request body is nested too deeply' });
    expect(read(`${'['.repeat(200)}${']'.repeat(200)}`, 'application/json').status).toBe('read');
  });
});
