import { afterEach, expect, it, vi } from 'vitest';
import { resolveEndpoint } from './check-url.ts';

afterEach(() => void vi.unstubAllGlobals());

it.each([
  ['/api/chat', 'https://shop.example/api/chat'],
  ['./chat', 'https://shop.example/fr/chat'],
  ['../chat', 'https://shop.example/chat'],
  ['//chat.example/x', 'https://chat.example/x'],
  ['https://chat.example', 'https://chat.example'],
  ['chat.example', 'chat.example'],
  ['', ''],
])('resolves the endpoint %j to %j on a page of a shop', (endpoint, address) => {
  vi.stubGlobal('location', new URL('https://shop.example/fr/cart?x=1'));
  expect(resolveEndpoint(endpoint)).toBe(address);
});

it('leaves a relative address unchanged without a page', () => {
  expect(resolveEndpoint('/api/chat')).toBe('/api/chat');
});
