import { describe, expect, it } from 'vitest';
import { isTokenUsable } from './is-token-usable.ts';

const base64url = (text: string): string =>
  btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
const token = (claims: string, signature = 'sig'): string => `e30.${base64url(claims)}.${signature}`;

describe('the structure check of a token', () => {
  it.each([
    ['without an end', token('{}'), true],
    ['with an empty signature', token('{}', ''), true],
    ['that ends later', token('{"exp":1000}'), true],
    ['that ended less than 5 s ago', token('{"exp":996}'), true],
    ['that ended 5 s ago', token('{"exp":995}'), false],
    ['with an end that is no number', token('{"exp":"1000"}'), false],
    ['with a list as payload', token('[]'), false],
    ['with a payload that is not JSON', token('{'), false],
    ['with two parts', 'e30.e30', false],
    ['with a payload that is not base64url', 'e30.e3 0.sig', false],
    ['that is empty', '', false],
  ])('a token %s', (_, text, isUsable) => {
    expect(isTokenUsable(text, 1_000_000)).toBe(isUsable);
  });
});
