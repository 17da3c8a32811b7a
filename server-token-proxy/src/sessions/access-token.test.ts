import { base64url } from 'jose';
import { describe, expect, it } from 'vitest';
import { makeAccessToken } from '../../test/fake-upstream.ts';
import { isUsableAccessToken } from './access-token.ts';

const NOW_MS = Date.UTC(2026, 0, 15);
const NOW = NOW_MS / 1_000;
const part = (text: string): string => base64url.encode(text);

describe('access token structure', () => {
  it.each([
    ['an expiry ahead', makeAccessToken({ exp: NOW + 60 }), true],
    ['no expiry', makeAccessToken({ sub: 'x' }), true],
    ['an expiry 4.999 s ago', makeAccessToken({ exp: NOW - 4.999 }), true],
    ['an expiry 5 s ago', makeAccessToken({ exp: NOW - 5 }), false],
    ['an expiry in words', makeAccessToken({ exp: 'tomorrow' }), false],
    ['a null expiry', makeAccessToken({ exp: null }), false],
    ['an empty signature', `${part('{}')}.${part('{}')}.`, true],
    ['two parts', `${part('{}')}.${part('{}')}`, false],
    ['four parts', `${part('{}')}.${part('{}')}.a.b`, false],
    ['a payload that is a list', `${part('{}')}.${part('[]')}.x`, false],
    ['a payload that is no JSON', `${part('{}')}.${part('{')}.x`, false],
    ['a payload that is no base64url', `${part('{}')}.!!.x`, false],
    ['an empty payload', `${part('{}')}..x`, false],
    ['nothing', '', false],
  ])('judges a token with %s', (_, token, expected) => {
    expect(isUsableAccessToken(token, NOW_MS)).toBe(expected);
  });
});
