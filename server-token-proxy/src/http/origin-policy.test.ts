import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judgeOrigin, normalizeOrigin } from './origin-policy.ts';

const listed = new Set(['https://www.example.com', 'https://shop.example.com:8443']);
const judge = (headers: Record<string, string>): string => judgeOrigin(new Headers(headers), listed).status;

describe('origin policy', () => {
  it.each([
    ['HTTPS://Shop.Example.com:443/', 'https://shop.example.com'],
    ['http://localhost:5173', 'http://localhost:5173'],
    ['https://münchen.example', 'https://xn--mnchen-3ya.example'],
    ['capacitor://localhost', 'capacitor://localhost'],
    ['null', 'null'],
    ['*', null],
    ['https://*.example.com', null],
    ['www.example.com', null],
    ['https://example.com/shop', null],
    ['https://example.com?x', null],
    ['https://user@example.com', null],
    ['https://', null],
    ['javascript:alert(1)', null],
    ['', null],
  ])('writes the listed origin %j as %j', (written, expected) => {
    expect(normalizeOrigin(written)).toBe(expected);
  });

  it('accepts a listed page', () => {
    expect(judge({ Origin: 'https://www.example.com' })).toBe('listed');
    expect(judge({ Origin: 'https://shop.example.com:8443', 'Sec-Fetch-Site': 'same-site' })).toBe('listed');
  });

  it.each([
    ['another scheme', 'http://www.example.com'],
    ['another port', 'https://www.example.com:444'],
    ['a missing port', 'https://shop.example.com'],
    ['a parent', 'https://example.com'],
    ['a subdomain', 'https://a.www.example.com'],
    ['a longer name', 'https://www.example.com.evil.test'],
    ['a prefix', 'https://evilwww.example.com'],
    ['another case', 'https://WWW.example.com'],
    ['a trailing slash', 'https://www.example.com/'],
    ['a trailing dot', 'https://www.example.com.'],
    ['two origins', 'https://www.example.com, https://evil.test'],
    ['an opaque origin', 'null'],
    ['an empty origin', ''],
  ])('refuses the origin of %s', (_, origin) => {
    expect(judge({ Origin: origin })).toBe('refused');
  });

  it('refuses a listed origin on a request that no page made', () => {
    expect(judge({ Origin: 'https://www.example.com', 'Sec-Fetch-Site': 'none' })).toBe('refused');
  });

  it('distinguishes a program without an origin from a browser that hides it', () => {
    expect(judge({})).toBe('absent');
    expect(judge({ 'Sec-Fetch-Site': 'same-origin' })).toBe('absent');
    for (const site of ['cross-site', 'same-site', 'none'])
      expect(judge({ 'Sec-Fetch-Site': site })).toBe('refused');
  });

  it('accepts only exactly listed origins', () => {
    const nearMisses = fc.tuple(
      fc.constantFrom(...listed),
      fc.nat(40),
      fc.string({ minLength: 1, maxLength: 3 }),
    );
    fc.assert(
      fc.property(nearMisses, ([origin, at, inserted]) => {
        const text = `${origin.slice(0, at)}${inserted}${origin.slice(at)}`;
        let headers: Headers;
        try {
          headers = new Headers({ Origin: text });
        } catch {
          return;
        }
        const arrived = headers.get('origin') ?? '';
        expect(judgeOrigin(headers, listed).status).toBe(listed.has(arrived) ? 'listed' : 'refused');
      }),
    );
  });
});
