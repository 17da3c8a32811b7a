import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from '@playwright/test';
import { build } from 'vite';
import { expect, test } from './fixtures.ts';
import { buildExample, exampleRoot, serveExample, talkAndRename, watchFaults } from './stack/example-site.ts';

const EXAMPLES = [
  { name: 'react', server: '../react/src/server.tsx', html: 'Natter in a React app' },
  { name: 'react-18', server: '../react/src/server.tsx', html: 'Natter in a React app' },
  { name: 'preact', server: 'src/server.tsx', html: '<button type="button">Talk to us</button>' },
  { name: 'vue', server: 'src/server.ts', html: 'Natter in a Vue app' },
] as const;

/** Has a conversation in the example's custom view, without a widget. */
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

    // The views of React and Vue are tested in e2e/smoke.
    if (name === 'react-18') {
      test(`the ${name} example answers, follows its options and leaves nothing behind`, async ({
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

    test(`the ${name} example answers in a custom view`, async ({ page, stack }) => {
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
