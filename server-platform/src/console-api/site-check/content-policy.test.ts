import { expect, it } from 'vitest';
import { completeDirective, matchesSource, parsePolicies } from './content-policy.ts';

const PAGE = 'https://www.shop.test/tickets';

it.each([
  ['*', 'wss://chat.shop.test', true],
  ["'self'", 'https://www.shop.test/chat/natter.js', true],
  ["'self'", 'wss://www.shop.test/chat/v1/ws', true],
  ["'self'", 'https://www.shop.test:8443/natter.js', false],
  ["'self'", 'https://chat.shop.test/natter.js', false],
  ["'nonce-abc'", 'https://chat.shop.test/natter.js', false],
  ['https:', 'https://chat.shop.test/natter.js', true],
  ['https:', 'wss://chat.shop.test', false],
  ['wss:', 'wss://chat.shop.test', true],
  ['http://chat.shop.test', 'https://chat.shop.test/natter.js', true],
  ['https://chat.shop.test', 'wss://chat.shop.test', false],
  ['chat.shop.test', 'https://chat.shop.test/natter.js', true],
  ['CHAT.shop.test', 'https://chat.shop.test/natter.js', true],
  ['chat.shop.test', 'http://chat.shop.test/natter.js', false],
  ['*.shop.test', 'https://chat.shop.test/natter.js', true],
  ['*.shop.test', 'https://shop.test/natter.js', false],
  ['*.hop.test', 'https://shop.test/natter.js', false],
  ['https://chat.shop.test:8443', 'https://chat.shop.test:8443/natter.js', true],
  ['https://chat.shop.test', 'https://chat.shop.test:8443/natter.js', false],
  ['https://chat.shop.test:*', 'https://chat.shop.test:8443/natter.js', true],
  ['https://chat.shop.test/natter.js', 'https://chat.shop.test/natter/panel.js', false],
  ['https://chat.shop.test/natter/', 'https://chat.shop.test/natter/panel.js', true],
])('a source %s and the address %s', (source, address, isAllowed) => {
  expect(matchesSource(source, address, PAGE)).toBe(isAllowed);
});

const complete = (policy: string, directive: 'script-src' | 'connect-src', ...urls: string[]) =>
  parsePolicies(policy).map((each) => completeDirective(each, { directive, urls }, PAGE));

it('adds the missing sources to a directive, in each policy of a page', () => {
  const script = 'https://chat.shop.test/natter.js';
  expect(complete("default-src 'self'; script-src 'self' cdn.test", 'script-src', script)).toEqual([
    "script-src 'self' cdn.test https://chat.shop.test",
  ]);
  expect(complete("Default-Src 'none'; img-src *", 'script-src', script)).toEqual([
    'script-src https://chat.shop.test',
  ]);
  expect(complete("script-src *; script-src-elem 'self'", 'script-src', script)).toEqual([
    "script-src-elem 'self' https://chat.shop.test",
  ]);
  expect(complete('img-src *, script-src chat.shop.test', 'script-src', script)).toEqual([null, null]);
  expect(complete('', 'script-src', script)).toEqual([]);
});
