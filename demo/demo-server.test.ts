import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { startDemoServer } from './demo-server.ts';
import { createFileStore } from './file-store.ts';
import { startFlakyLink } from './link/flaky-link.ts';

const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

it('the site says that it is starting until the token proxy has an address, and has one name', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'natter-demo-'));
  closers.push(() => rmSync(folder, { recursive: true }));
  const link = await startFlakyLink({ host: '127.0.0.1', port: 1 }, { port: 0 });
  closers.push(() => link.close());
  const origins = { proxy: '', socket: '' };
  const site = await startDemoServer({
    port: 0,
    getOrigins: () => origins,
    link,
    files: createFileStore(folder, () => 'http://127.0.0.1/files'),
    platform: null,
    getConsoleOrigin: () => null,
    getDevelopmentPages: () => null,
    pay: async () => true,
  });
  closers.push(() => site.close());

  const early = await fetch(site.url);
  expect([early.status, early.headers.get('retry-after')]).toEqual([503, '3']);
  Object.assign(origins, { proxy: 'http://127.0.0.1:8', socket: 'ws://127.0.0.1:9' });
  const page = await fetch(`${site.url}/book`);
  expect(page.status).toBe(200);
  // Where `localhost` is typed as a number.
  const byNumber = await fetch(`${site.url.replace('localhost', '127.0.0.1')}/book?a=1`, {
    redirect: 'manual',
  });
  expect(byNumber.headers.get('location')).toBe(`${site.url}/book?a=1`);
  expect(await page.text()).toContain('<p class="crumb"><a href="/">Start page</a></p>');
});
