import { expect, it } from 'vitest';
import { judgePage } from './judge-page.ts';
import { readSitePage } from './read-site-page.ts';
import type { SiteFinding } from './site-finding.ts';

const PROXY = 'https://chat.shop.test';
const SOCKETS = ['wss://chat.shop.test', 'wss://platform.shop.test'];
const TAG = `<script src="${PROXY}/natter.js" defer></script>`;

interface Page {
  readonly url?: string;
  readonly head?: string;
  readonly body?: string;
  readonly policy?: string;
}

async function judge(
  check: SiteFinding['check'],
  { url = 'https://www.shop.test/', head = '', body = TAG, policy = '' }: Page,
): Promise<string> {
  const page = await readSitePage(`<head>${head}</head><body>${body}</body>`, new URL(url), policy);
  const places = { tokenProxyUrl: PROXY, pageProxyUrl: PROXY, socketUrls: SOCKETS };
  const { status, message, code } = judgePage(page, places).find((each) => each.check === check) ?? {};
  return `${status}: ${message}${code ? `\n${code}` : ''}`;
}

it.each<readonly [string, Page, RegExp]>([
  ['is not encrypted', { url: 'http://www.shop.test/' }, /^fault: The page is not encrypted/],
  ['is of this machine', { url: 'http://localhost:3000/' }, /^ok/],
  [
    'is encrypted, and its tag is not',
    { body: '<script src="http://chat.shop.test/natter.js"></script>' },
    /^fault: .*browsers block\. Write https:\/\/ in the tag/,
  ],
  [
    'is encrypted, and its proxy is of this machine',
    { body: '<script src="http://localhost:8787/natter.js"></script>' },
    /^ok/,
  ],
])('judges a page that %s', async (_, page, expected) => {
  expect(await judge('secure connection', page)).toMatch(expected);
});

const BLOCKED =
  'fault: The page’s Content-Security-Policy blocks parts of the chat. Change it so that it has:\n';

it('names every source that a policy lacks, as the whole directive', async () => {
  expect(
    await judge('security policy', {
      policy: "default-src 'self'; script-src 'self' cdn.shop.test; img-src *",
    }),
  ).toBe(`${BLOCKED}script-src 'self' cdn.shop.test ${PROXY};\nconnect-src 'self' ${PROXY}`);
  const head = `<meta http-equiv="Content-Security-Policy" content="connect-src 'none'">`;
  expect(await judge('security policy', { head })).toBe(`${BLOCKED}connect-src ${PROXY}`);
});

it('needs a source for styles only where a theme is linked, and none for fonts', async () => {
  const policy = `style-src 'none'; font-src 'none'; script-src ${PROXY}; connect-src ${PROXY} wss:`;
  expect(await judge('security policy', { policy })).toMatch(/^ok/);
  const head = `<link rel="stylesheet" href="${PROXY}/natter/ink.css">`;
  expect(await judge('security policy', { policy, head })).toBe(`${BLOCKED}style-src ${PROXY}`);
});

it('ignores a policy in a meta tag outside the head, as browsers do', async () => {
  const meta = `<meta http-equiv="Content-Security-Policy" content="script-src 'none'">`;
  expect(await judge('security policy', { body: meta + TAG })).toMatch(/^ok: The page has no/);
});

it('asks for the nonce of a policy that trusts nothing else', async () => {
  const policy = "script-src 'nonce-abc' 'strict-dynamic'";
  expect(await judge('security policy', { policy })).toMatch(/^fault: .*Give the tag the nonce/);
  const body = TAG.replace('<script', '<script nonce="abc"');
  expect(await judge('security policy', { policy, body })).toMatch(/^ok/);
});

it('reports a sandbox that keeps the chat from running', async () => {
  expect(await judge('security policy', { policy: 'sandbox allow-scripts' })).toMatch(
    /^fault: .*“sandbox” without allow-same-origin/,
  );
});

it('warns where no socket gets through', async () => {
  const sources = `script-src ${PROXY}; img-src ${PROXY}; connect-src ${PROXY}`;
  expect(await judge('security policy', { policy: sources })).toMatch(
    /^warning: .*in turns.*wss:\/\/chat\.shop\.test or wss:\/\/platform\.shop\.test:\nconnect-src https:\/\/chat\.shop\.test wss:\/\/chat\.shop\.test$/,
  );
  expect(await judge('security policy', { policy: `${sources} wss://platform.shop.test` })).toMatch(/^ok/);
  expect(await judge('security policy', { policy: `${sources} wss://sockets.shop.test` })).toMatch(/^ok/);
});
