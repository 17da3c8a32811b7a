import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { createTicketKey } from '@natter/token-proxy';
import type { Page } from '@playwright/test';
import { build } from 'vite';
import { buildExample, exampleRoot, serveExample, talkAndRename, watchFaults } from './example-site.ts';
import { expect, test } from './fixtures.ts';
import { findFreePort } from './free-port.ts';
import { runProcess } from './run-process.ts';
import { CONNECTOR_TOKEN } from './stack.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const run = promisify(execFile);
const EXAMPLES = [
  { name: 'react', server: '../react/src/server.tsx', html: 'Natter in a React app' },
  { name: 'react-18', server: '../react/src/server.tsx', html: 'Natter in a React app' },
  { name: 'preact', server: 'src/server.tsx', html: '<button type="button">Talk to us</button>' },
  { name: 'vue', server: 'src/server.ts', html: 'Natter in a Vue app' },
] as const;

/** Talks in a view of the example's own, which has no widget. */
async function talkInOwnView(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Talk to us' }).click();
  const said = (name: string) =>
    page.getByRole('log', { name: 'Conversation' }).getByRole('article', { name });
  await expect(said('Assistant')).toHaveCount(1);
  const field = page.getByRole('textbox', { name: 'Message' });
  await field.fill('Can I bring my dog?');
  await field.press('Enter');
  await expect(field).toHaveValue('');
  await expect(said('You')).toHaveText('Can I bring my dog?');
  await expect(said('Assistant').last()).toContainText(/dog|pet/i);
  await expect(page.locator('natter-chat')).toHaveCount(0);
}

for (const { name, server, html } of EXAMPLES) {
  test.describe(() => {
    let outDir = '';
    test.beforeAll(async () => {
      outDir = test.info().outputPath('example');
      await buildExample(name, outDir);
    });

    // That of React and Vue is in e2e/smoke.
    if (name === 'react-18') {
      test(`the ${name} example talks, follows its options and leaves nothing behind`, async ({
        page,
        chat,
        stack,
      }) => {
        const example = await serveExample(stack, name, outDir);
        const faults = watchFaults(page);
        await page.goto(example.pageUrl());
        await talkAndRename(page, chat);
        expect(faults).toEqual([]);
        await example.close();
      });
    }

    test(`the ${name} example talks in a view of its own`, async ({ page, stack }) => {
      const example = await serveExample(stack, name, outDir);
      const faults = watchFaults(page);
      await page.goto(`${example.pageUrl()}&view=own`);
      await talkInOwnView(page);
      expect(faults).toEqual([]);
      await example.close();
    });
  });

  test(`the ${name} example is rendered on a server`, async () => {
    const root = exampleRoot(name);
    const outDir = test.info().outputPath('server');
    await build({
      configFile: join(root, 'vite.config.ts'),
      root,
      logLevel: 'silent',
      ssr: { noExternal: true },
      build: {
        outDir,
        ssr: join(root, server),
        rolldownOptions: { output: { entryFileNames: 'server.mjs' } },
      },
    });
    const { render } = await import(pathToFileURL(join(outDir, 'server.mjs')).href);
    expect(await render('https://chat.example.com')).toContain(html);
  });
}

test.describe('the Next.js example', () => {
  const next = join(ROOT, 'node_modules/next/dist/bin/next');

  test('is built by the App Router, rendered on its server, and talks through its own route', async ({
    page,
    chat,
    stack,
  }) => {
    // The compiler of Next.js takes half a minute, and as long again on a busy machine.
    test.setTimeout(240_000);
    process.env['NEXT_TELEMETRY_DISABLED'] = '1';
    const app = exampleRoot('next');
    // Its route is made of the token proxy's package.
    await run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-b', 'server-token-proxy'], {
      cwd: ROOT,
    });
    await run(process.execPath, [next, 'build', app]);
    const port = String(await findFreePort());
    const address = `http://127.0.0.1:${port}/`;
    const site = runProcess(next, ['start', app, '--port', port, '--hostname', '127.0.0.1'], {
      NATTER_UPSTREAM_URL: stack.urls.platform,
      NATTER_CONNECTOR_TOKEN: CONNECTOR_TOKEN,
      NATTER_CONNECTOR_HOST: '127.0.0.1',
      NATTER_TICKET_KEYS: createTicketKey(),
      NATTER_ALLOWED_ORIGINS: new URL(address).origin,
    });
    await site.waitForLine(/Ready/);
    const faults = watchFaults(page);
    await page.goto(address);
    await expect(page).toHaveTitle('Natter in a Next.js app');
    await talkAndRename(page, chat);
    expect((await page.context().cookies()).map(({ name, httpOnly }) => ({ name, httpOnly }))).toEqual([
      { name: expect.stringMatching(/^natter-/), httpOnly: true },
    ]);

    // A component of the server that gives properties and nothing else, inline.
    await page.goto(`${address}plain`);
    await expect(page.locator('main natter-chat').getByRole('dialog')).toBeVisible();
    expect(faults).toEqual([]);
    await site.stop();
  });
});
