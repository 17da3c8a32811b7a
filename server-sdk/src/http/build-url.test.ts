import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withServer } from '../../testing/scripted-server.test.ts';
import { isNatterError } from '../index.ts';
import { buildUrl, encodeQuery } from './build-url.ts';

const odd = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1 }),
  fc.string({
    unit: fc.constantFrom(
      '/',
      '?',
      '#',
      '%',
      '.',
      '\\',
      ';',
      '&',
      '=',
      '+',
      ' ',
      ':',
      '@',
      'a',
      'ä',
      '🚦',
      '\n',
    ),
    minLength: 1,
  }),
);
const usable = odd.filter((value) => value !== '.' && value !== '..');
const base = 'https://api.us-1.example.com/prefix';

describe('addresses', () => {
  it('keeps an id in one path segment, with any characters', () => {
    fc.assert(
      fc.property(usable, usable, (account, project) => {
        const path = '/v1/{account_id}/{project_id}/handoff_state';
        const url = new URL(buildUrl(base, path, { account_id: account, project_id: project }));
        const segments = url.pathname.split('/');
        expect(url.host).toBe('api.us-1.example.com');
        expect(url.search + url.hash).toBe('');
        expect(segments.map(decodeURIComponent)).toEqual([
          '',
          'prefix',
          'v1',
          account,
          project,
          'handoff_state',
        ]);
      }),
    );
  });

  it('preserves every query value, even under unusual names', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(odd, fc.string({ unit: 'binary' }))), (pairs) => {
        const url = new URL(buildUrl(base, '/v1/alerts', {}, pairs));
        expect([...url.searchParams]).toEqual(pairs);
        expect(url.hash).toBe('');
      }),
    );
  });

  it('writes a space in a query as %20', () => {
    expect(buildUrl(base, '/v1', {}, [['variant_name', 'north sea']])).toBe(
      `${base}/v1?variant_name=north%20sea`,
    );
  });

  it.each([['.'], ['..'], [''], ['\ud800']])('refuses the id %j, which no encoding protects', (id) => {
    let thrown: unknown;
    try {
      buildUrl(base, '/v1/{rule_id}', { rule_id: id });
    } catch (error) {
      thrown = error;
    }
    expect(isNatterError(thrown) && thrown.fieldErrors[0]?.field).toBe('rule_id');
  });

  it('sends a URL to the server as it was built', async () => {
    const state = { status: 200, body: { id: 'c', data: {} } };
    await withServer([state], async (natter, { seen }) => {
      await natter.handoff.get({ shared_id: 'a/b?c=d&e #ü' }, { accountId: '../x', projectId: 'p%2F' });
      expect(seen[0]?.url).toBe('/v1/..%2Fx/p%252F/handoff_state?shared_id=a%2Fb%3Fc%3Dd%26e%20%23%C3%BC');
    });
  });
});

describe('query values', () => {
  it('writes dates, lists, numbers and booleans into a query, and omits undefined', () => {
    const date = new Date(Date.UTC(2026, 2, 2));
    const written = encodeQuery({ a: date, b: ['x', 'y'], c: 5, d: false, e: undefined, f: 'ä', g: null });
    expect(written).toEqual([
      ['a', '2026-03-02T00:00:00.000Z'],
      ['b', 'x'],
      ['b', 'y'],
      ['c', '5'],
      ['d', 'false'],
      ['f', 'ä'],
    ]);
  });
});
