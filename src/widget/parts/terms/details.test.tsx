import { signal } from '@preact/signals-core';
import { expect, it } from 'vitest';
import { createFakeChat } from '../../../../test/widget/fake-chat.ts';
import type { WidgetContextProvider } from '../../../client/index.ts';
import type { WidgetOptions } from '../../options.ts';
import { loadTerms } from '../../panel/load-terms.ts';
import { nameBrowser } from './read-details.ts';

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const MAC_WEBKIT = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';

it.each([
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/143.0.0.0 Safari/537.36`,
    'Chrome 143, Windows',
  ],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/143.0.0.0 Safari/537.36 Edg/142.0.0.0`,
    'Edge 142, Windows',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0', 'Firefox 143, Linux'],
  [
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${MAC_WEBKIT} Version/18.6 Safari/605.1.15`,
    'Safari 18, macOS',
  ],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) ${MAC_WEBKIT} CriOS/143.0 Mobile/15E148 Safari/604.1`,
    'Chrome 143, iOS',
  ],
  [
    `Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
    'Samsung Internet 28, Android',
  ],
  ['curl/8.5.0', ''],
])('the browser of %s is "%s"', (userAgent, name) => {
  expect(nameBrowser(userAgent)).toBe(name);
});

it('page, time zone, browser and language are sent while the site has turned them on, the address without its query', async () => {
  const options = signal<WidgetOptions>({ endpoint: 'https://chat.example', features: 'details' });
  const before = location.href;
  history.replaceState(null, '', '/booking?ref=KW123#seat');
  const page: WidgetContextProvider = {};
  const terms = (await loadTerms(options.peek()))?.(createFakeChat(), options, page);
  expect(page.pageContext?.()).toEqual({
    page: `${location.origin}/booking`,
    time_zone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
    browser: nameBrowser(navigator.userAgent),
    language: navigator.language,
  });
  const session = { sessionId: 's', contextId: null, owner: '', isOwn: true, submit: () => Promise.reject() };
  expect(await page.beforeJoin?.(session)).toEqual(page.pageContext?.());
  options.value = { ...options.peek(), language: 'fr' };
  expect(page.pageContext?.()).toMatchObject({ language: 'fr' });
  options.value = { ...options.peek(), features: 'home' };
  expect(page.pageContext?.()).toBeUndefined();
  history.replaceState(null, '', before);
  terms?.chat.destroy();
});

it('a site without them loads no code for them', async () => {
  expect(await loadTerms({ endpoint: 'https://chat.example', features: 'home history' })).toBeNull();
});
