import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { WidgetOptions } from '../options.ts';
import { toImageUrl, toSafeHref } from './safe-href.ts';

beforeEach(() => vi.stubGlobal('location', new URL('https://www.shop.example/page')));
afterEach(() => vi.unstubAllGlobals());

const isFetched = (address: string, options: Partial<WidgetOptions> = {}): boolean =>
  toImageUrl(address, { endpoint: 'https://chat.shop.example:8443/natter', ...options }) !== null;

describe('a picture is fetched', () => {
  it.each([
    'https://www.shop.example/a.png',
    'http://www.shop.example/a.png',
    'https://WWW.shop.example:443/a.png',
    'https://chat.shop.example:8443/ada.svg',
  ])('fetches pictures from the hosts of the page and the token proxy: %s', (address) => {
    expect(isFetched(address)).toBe(true);
  });

  it('fetches pictures from the host of the site’s own picture', () => {
    expect(isFetched('https://cdn.example/b.png', { avatarUrl: 'https://cdn.example/ada.png' })).toBe(true);
    expect(isFetched('https://cdn.example/b.png')).toBe(false);
  });

  it.each([
    ['cdn.example', 'https://cdn.example/a.png', true],
    ['CDN.example', 'https://cdn.example/a.png', true],
    ['https://cdn.example/faces/', 'https://cdn.example/a.png', true],
    ['a.example, cdn.example', 'https://cdn.example/a.png', true],
    [['a.example', 'cdn.example'], 'https://cdn.example/a.png', true],
    ['cdn.example', 'https://cdn.example:8443/a.png', false],
    ['cdn.example:8443', 'https://cdn.example:8443/a.png', true],
    ['cdn.example', 'https://a.cdn.example/a.png', false],
    ['*.cdn.example', 'https://a.b.cdn.example/a.png', true],
    ['*.cdn.example', 'https://cdn.example/a.png', false],
    ['*.cdn.example', 'https://evilcdn.example/a.png', false],
    ['*', 'https://anything.example/a.png', true],
    ['*', 'data:image/png;base64,AAAA', false],
    ['*', 'mailto:a@b.example', false],
    ['*', 'blob:https://www.shop.example/0b', false],
    ['', 'https://cdn.example/a.png', false],
  ] as const)('fetches pictures with the list of hosts %j: %s, %s', (imageHosts, address, expected) => {
    expect(isFetched(address, { imageHosts })).toBe(expected);
  });

  it.each([
    'https://www.shop.example.evil.example/a.png',
    'https://shop.example/a.png',
    'https://evil.example/https://www.shop.example/a.png',
    'https://www.shop.example@evil.example/a.png',
    'https://evil.example#www.shop.example',
    'https://undefined/a.png',
    'https://null/a.png',
    '//www.shop.example/a.png',
    '/a.png',
    '',
  ])('fetches no picture from another host: %s', (address) => {
    expect(isFetched(address)).toBe(false);
  });
});

describe('an address', () => {
  it('leaves an address as text if it has more characters than servers accept', () => {
    const address = `https://shop.example/${'a'.repeat(8_192 - 'https://shop.example/'.length)}`;
    expect(toSafeHref(address)).toBe(address);
    expect(toSafeHref(`${address}a`)).toBeNull();
  });

  it.each(['https://', 'https:', 'https:\\\\', 'www.', 'mailto:'])(
    'leaves an address as text if its host is too long: %s',
    (start) => {
      expect(toSafeHref(`${start}${'\u4e2d'.repeat(300)}.example`)).toBeNull();
      expect(toSafeHref(`${start}${'a'.repeat(50)}.example`)).not.toBeNull();
    },
  );

  it.each([
    'https://bank.example@other.example/',
    'https://bank.example:login@other.example/',
    'https://:login@other.example/',
    'www.bank.example@other.example',
    'https:bank.example%2f@other.example',
  ])('leaves an address as text if it has a user name: %s', (address) => {
    expect(toSafeHref(address)).toBeNull();
  });

  it.each([
    ['mailto:a@b.example?bcc=c@d.example&attach=/etc/passwd', 'mailto:a@b.example'],
    [
      'mailto:a@b.example?cc=c@d.example&subject=Late%20ferry&BODY=Hello',
      'mailto:a@b.example?subject=Late%20ferry&BODY=Hello',
    ],
    ['mailto:a@b.example?%62cc=c@d.example&to=c@d.example', 'mailto:a@b.example'],
    ['mailto:a@b.example', 'mailto:a@b.example'],
  ])('keeps only recipient, subject and body of an email address: %s', (address, expected) => {
    expect(toSafeHref(address)).toBe(expected);
  });
});
