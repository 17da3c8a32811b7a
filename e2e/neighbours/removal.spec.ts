import type { Page } from '@playwright/test';
import type { ChatPanel } from '../page/chat-panel.ts';
import { expect, test } from './visit.ts';

/** Opens the chat, has a conversation, and leaves a draft. */
async function talk(chat: ChatPanel): Promise<void> {
  await chat.open();
  await chat.ask('Can I bring my dog?');
  await chat.composer.fill('And is there');
}

/** Expects the open panel with conversation and draft, and another answer. */
async function expectAsItWas(page: Page, chat: ChatPanel): Promise<void> {
  await expect(page.locator('natter-chat')).toHaveCount(1);
  await expect(chat.dialog).toBeVisible();
  await expect(chat.composer).toHaveValue('And is there');
  await expect(chat.messages('user')).toHaveText(/Can I bring my dog\?/);
  expect(await page.evaluate(() => Reflect.get(window, 'Natter').isOpen)).toBe(true);
  await chat.composer.click();
  await page.keyboard.press('End');
  await page.keyboard.type(' wifi on board?');
  await page.keyboard.press('Enter');
  await expect(chat.messages('user')).toHaveCount(2);
  await chat.expectAnswer(/wi-?fi/i);
}

test('the chat stays open and answers after React 19 has replaced a document that did not match', async ({
  page,
  chat,
  visit,
}) => {
  await visit({
    body: '<main>from the server</main>',
    script: `/** @jsxImportSource react */
      import { hydrateRoot } from 'react-dom/client';
      window.hydrate = () => hydrateRoot(
        document,
        <html lang="en"><head><title>A page</title></head><body><main>from the browser</main></body></html>,
        { onRecoverableError: () => { window.hasRecovered = true; } },
      );`,
  });
  await talk(chat);
  await page.evaluate(() => Reflect.get(window, 'hydrate')());
  await expect(page.getByText('from the browser')).toBeVisible();
  expect(await page.evaluate(() => Reflect.get(window, 'hasRecovered'))).toBe(true);
  await expectAsItWas(page, chat);
});

for (const [name, rewrite] of [
  [
    'document.open()',
    () => {
      document.open();
      document.write('<!doctype html><title>A page</title><p>Written anew</p>');
      document.close();
    },
  ],
  [
    'innerHTML of the document',
    () => {
      document.documentElement.innerHTML =
        '<head><title>A page</title></head><body><p>Written anew</p></body>';
    },
  ],
  [
    'another document element',
    () => {
      const page = document.createElement('html');
      page.innerHTML = '<head><title>A page</title></head><body><p>Written anew</p></body>';
      document.documentElement.replaceWith(page);
    },
  ],
] as const)
  test(`the chat stays on a page that is rewritten with ${name}`, async ({ page, chat, visit }) => {
    await visit({ body: '<p>As it was</p>' });
    await talk(chat);
    await page.evaluate(rewrite);
    await expect(page.getByText('Written anew')).toBeVisible();
    await expectAsItWas(page, chat);
  });

for (const place of ['', '<div id="natter-chat"></div>'])
  test(`the chat stays when Idiomorph morphs the whole document${place && ', where the chat had a place,'}`, async ({
    page,
    chat,
    visit,
  }) => {
    await visit({
      body: `<p>As it was</p>${place}`,
      script: `import { Idiomorph } from 'idiomorph';
        window.morph = (html) => Idiomorph.morph(document.documentElement, html);`,
    });
    await talk(chat);
    await page.evaluate(() =>
      Reflect.get(
        window,
        'morph',
      )('<html><head><title>A page</title></head><body><p>Written anew</p></body></html>'),
    );
    await expect(page.getByText('Written anew')).toBeVisible();
    await expectAsItWas(page, chat);
  });
