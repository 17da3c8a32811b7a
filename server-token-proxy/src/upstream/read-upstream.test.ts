import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readGrantedToken, readKnownErrorText, readSessionId } from './read-upstream.ts';

describe('reading the platform', () => {
  it.each([
    [{ access_token: 'a.b.c', expires_in: 86_400, token_type: 'Bearer' }, 86_400],
    [{ accessToken: 'a.b.c', expiresIn: 60 }, 60],
    [{ access_token: 'a.b.c' }, 3_600],
    [{ access_token: 'a.b.c', expires_in: null, expiresIn: 90 }, 90],
    [{ access_token: 'a.b.c', expires_in: '120' }, 120],
    [{ access_token: 'a.b.c', expires_in: 'soon' }, 3_600],
    [{ access_token: 'a.b.c', expires_in: -1 }, 3_600],
    [{ access_token: 'a.b.c', expires_in: 1e300 }, 315_360_000],
  ])('accepts the token of %j for %i s', (body, expiresInSeconds) => {
    expect(readGrantedToken(body)).toEqual({ accessToken: 'a.b.c', expiresInSeconds });
  });

  it.each([
    [{}],
    [{ access_token: '' }],
    [{ access_token: '  ' }],
    [{ access_token: 7 }],
    [{ access_token: 'a\r\nX-Evil: 1' }],
    [{ access_token: 'x'.repeat(8_193) }],
    [[]],
    [null],
    [undefined],
    ['a.b.c'],
  ])('finds no token in case %#', (body) => {
    expect(readGrantedToken(body)).toBeNull();
  });

  it.each([
    [{ session_id: 's', sessionId: 't', id: 'u' }, 's'],
    [{ sessionId: 't', id: 'u' }, 't'],
    [{ id: 'u' }, 'u'],
    [{ session_id: '' }, null],
    [{ session_id: 5 }, null],
    [{}, null],
  ])('reads the session of %j as %j', (body, expected) => {
    expect(readSessionId(body)).toBe(expected);
  });

  it("recognises the contract's texts in the first field with a string", () => {
    expect(readKnownErrorText({ error: 'Failed to validate connector' })).toBe(
      'Failed to validate connector',
    );
    expect(readKnownErrorText({ message: 3, error_message: 'Invalid access token' })).toBe(
      'Invalid access token',
    );
    expect(readKnownErrorText({ message: 'hello', error: 'Invalid access token' })).toBeNull();
  });

  it('accepts any JSON without an exception, and only valid expiry dates', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (body) => {
        readSessionId(body);
        readKnownErrorText(body);
        readGrantedToken(body);
      }),
    );
    fc.assert(
      fc.property(fc.jsonValue(), (expires_in) => {
        const granted = readGrantedToken({ access_token: 'a.b.c', expires_in });
        const seconds = granted?.expiresInSeconds ?? Number.NaN;
        expect(seconds).toBeGreaterThan(0);
        expect(new Date(Date.now() + seconds * 1_000).toISOString()).toMatch(/^\d{4}-/);
      }),
    );
  });
});
