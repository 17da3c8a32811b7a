import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { startFlakyLink } from '../link/flaky-link.ts';
import { startDemoServer } from './demo-server.ts';
import { createFileStore } from './file-store.ts';

const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function startSite(origins: { proxy: string; socket: string; platform: string }) {
  const folder = mkdtempSync(join(tmpdir(), 'natter-demo-'));
  closers.push(() => rmSync(folder, { recursive: true }));
  const link = await startFlakyLink({ host: '127.0.0.1', port: 1 }, { port: 0 });
  closers.push(() => link.close());
  const paid: string[] = [];
  const site = await startDemoServer({
    port: 0,
    getOrigins: () => origins,
    link,
    files: createFileStore(folder, () => 'http://127.0.0.1/files'),
    platform: null,
    getDevelopmentPages: () => null,
    pay: async (reference) => {
      paid.push(reference);
      return true;
    },
  });
  closers.push(() => site.close());
  return { site, link, paid };
}

/** Sends a request with headers that `fetch` keeps to itself. */
async function send(url: string, method: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const sent = request(url, { method, headers });
  sent.end(headers['Content-Type'] === undefined ? undefined : '{"on":true}');
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  answer.resume();
  return answer.statusCode ?? 0;
}

it('pages of other sites change nothing: no fault, no payment, no editor', async () => {
  const { site, link, paid } = await startSite({
    proxy: 'http://127.0.0.1:8',
    socket: 'ws://127.0.0.1:9',
    platform: 'http://127.0.0.1:9',
  });
  const fault = `${site.url}/bench/faults/offline`;
  const text = { 'Content-Type': 'text/plain' };
  const foreign: readonly Readonly<Record<string, string>>[] = [
    { ...text, Origin: 'https://evil.example' },
    { ...text, Origin: 'null' },
    { ...text, 'Sec-Fetch-Site': 'cross-site' },
    { ...text, Host: 'rebound.example' },
    { ...text, Host: 'rebound.example', Origin: 'http://rebound.example' },
    // The console is of another origin too.
    { ...text, Origin: 'http://localhost:4321' },
  ];
  for (const headers of foreign) {
    expect([headers, await send(fault, 'POST', headers)]).toEqual([headers, 403]);
    expect([headers, await send(`${site.url}/pay/evt_1`, 'POST', headers)]).toEqual([headers, 403]);
    const editor = `${site.url}/console/__open-in-editor?file=/etc/passwd`;
    expect([headers, await send(editor, 'GET', headers)]).toEqual([headers, 403]);
  }
  expect([link.conditions.isRefusing, paid]).toEqual([false, []]);
  for (const headers of [text, { ...text, Origin: site.url }])
    expect([headers, await send(fault, 'POST', headers)]).toEqual([headers, 200]);
  expect(link.conditions.isRefusing).toBe(true);
  expect(await send(`${site.url}/pay/evt_1`, 'POST', { Origin: site.url })).toBe(200);
  expect(paid).toEqual(['evt_1']);
});

it('the site says that it is starting until the token proxy has an address, and has one name', async () => {
  const origins = { proxy: '', socket: '', platform: '' };
  const { site } = await startSite(origins);

  const early = await fetch(site.url);
  expect([early.status, early.headers.get('retry-after')]).toEqual([503, '3']);
  Object.assign(origins, {
    proxy: 'http://127.0.0.1:8',
    socket: 'ws://127.0.0.1:9',
    platform: 'http://127.0.0.1:9',
  });
  const page = await fetch(`${site.url}/book`);
  expect(page.status).toBe(200);
  // Where `localhost` is typed as a number.
  const byNumber = await fetch(`${site.url.replace('localhost', '127.0.0.1')}/book?a=1`, {
    redirect: 'manual',
  });
  expect(byNumber.headers.get('location')).toBe(`${site.url}/book?a=1`);
  expect(await page.text()).toContain('<p class="crumb"><a href="/">Start page</a></p>');
});
