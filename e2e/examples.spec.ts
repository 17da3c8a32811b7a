import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createTicketKey } from '@natter/token-proxy';
import { startTokenProxy } from '@natter/token-proxy/node';
import { build, preview } from 'vite';
import { expect, test } from './fixtures.ts';
import { findFreePort } from './free-port.ts';
import { CONNECTOR_TOKEN } from './stack.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const EXAMPLES = [
  { name: 'react', server: '../react/src/server.tsx', title: 'Natter in a React app' },
  { name: 'react-18', server: '../react/src/server.tsx', title: 'Natter in a React app' },
  { name: 'vue', server: 'src/server.ts', title: 'Natter in a Vue app' },
] as const;

let folder = '';

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'natter-examples-'));
  // The examples use the package as customers get it.
  await build({ configFile: join(ROOT, 'vite.config.ts'), root: ROOT, mode: 'npm', logLevel: 'silent' });
});
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

for (const { name, server, title } of EXAMPLES) {
  const root = join(ROOT, 'examples', name);
  const configFile = join(root, 'vite.config.ts');

  test(`the ${name} example talks, follows its options and leaves nothing behind`, async ({
    page,
    chat,
    stack,
  }) => {
    const outDir = join(folder, name);
    await build({ configFile, root, logLevel: 'silent', build: { outDir, emptyOutDir: true } });
    const site = await preview({
      configFile,
      root,
      logLevel: 'silent',
      build: { outDir },
      preview: { host: '127.0.0.1', port: await findFreePort(), strictPort: true },
    });
    const [address = ''] = site.resolvedUrls?.local ?? [];
    const proxy = await startTokenProxy({
      port: 0,
      upstreamUrl: stack.urls.platform,
      connectors: { default: { token: CONNECTOR_TOKEN, host: '127.0.0.1' } },
      ticketKeys: [createTicketKey()],
      allowedOrigins: [new URL(address).origin],
      logLevel: 'warn',
    });
    const faults: string[] = [];
    page.on('pageerror', ({ message }) => faults.push(message));
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text());
    });
    await page.goto(`${address}?endpoint=${encodeURIComponent(proxy.url)}`);

    await page.getByRole('button', { name: 'Talk to us' }).click();
    await expect(chat.dialog).toBeVisible();
    await chat.say('Can I bring my dog?');
    await expect(page.locator('#answer')).toContainText(/dog|pet/i);

    // Strict mode mounts twice, and an option that changes mounts anew: there is one widget all the same.
    await page.getByRole('button', { name: 'Rename the agent' }).click();
    await expect(chat.dialog).toHaveCount(0);
    await expect(page.locator('natter-chat')).toHaveCount(1);
    expect(faults).toEqual([]);
    await proxy.close();
    await site.close();
  });

  test(`the ${name} example is rendered on a server`, async () => {
    const outDir = join(folder, `${name}-server`);
    await build({
      configFile,
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
    expect(await render('https://chat.example.com')).toContain(title);
  });
}
