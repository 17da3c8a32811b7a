import type { Page } from '@playwright/test';
import type { ChatPanel } from '../page/chat-panel.ts';
import { expect, readField, test } from './visit.ts';

const FIELD = '<label>Your name <input></label>';

/** Types into the chat beside a dialog of the page that traps the focus. */
async function expectChatTakesText(page: Page, chat: ChatPanel): Promise<void> {
  await page.getByLabel('Your name').fill('Ana');
  await chat.launcher.click();
  const composer = page.getByRole('textbox', { name: 'Message' });
  await expect(composer).toBeVisible();
  await composer.click();
  await page.keyboard.type('Can I bring my dog?');
  await expect(composer).toHaveValue('Can I bring my dog?');
  expect(await readField(page)).toBe('Ana');
  await page.getByRole('button', { name: 'Send message' }).click();
  await expect(page.locator('[part~="visitor-message"]')).toHaveText(/Can I bring my dog\?/);
  // The dialog stays, with the typed text.
  expect(await readField(page)).toBe('Ana');
  await page.getByLabel('Your name').click();
  await page.keyboard.type(' B');
  expect(await readField(page)).toBe('Ana B');
}

test('Bootstrap: the chat accepts text beside a modal', async ({ page, chat, visit }) => {
  await visit({
    body: `<button data-bs-toggle="modal" data-bs-target="#modal">Open</button>
      <div class="modal" id="modal" tabindex="-1"><div class="modal-dialog"><div class="modal-content">${FIELD}</div></div></div>`,
    script: `import 'bootstrap/dist/css/bootstrap.css'; import 'bootstrap/dist/js/bootstrap.bundle.js';`,
    head: '<link rel="stylesheet" href="/bootstrap.css">',
  });
  await page.getByRole('button', { name: 'Open' }).click();
  await expectChatTakesText(page, chat);
});

test('Radix: the chat accepts text beside a dialog, and its wheel scrolls the conversation', async ({
  page,
  chat,
  visit,
}) => {
  await visit({
    body: '<div id="app"></div>',
    script: `/** @jsxImportSource react */
      import { createRoot } from 'react-dom/client';
      import * as Dialog from '@radix-ui/react-dialog';
      createRoot(document.querySelector('#app')).render(
        <Dialog.Root>
          <Dialog.Trigger>Open</Dialog.Trigger>
          <Dialog.Portal>
            <Dialog.Overlay style={{ position: 'fixed', inset: 0, background: '#0003' }} />
            <Dialog.Content aria-describedby={undefined} style={{ position: 'fixed', top: 40, left: 40, background: '#fff' }}>
              <Dialog.Title>Booking</Dialog.Title>
              <label>Your name <input /></label>
            </Dialog.Content>
          </Dialog.Portal>
        </Dialog.Root>,
      );`,
  });
  await page.getByRole('button', { name: 'Open' }).click();
  await expectChatTakesText(page, chat);
});

for (const options of ['{}', '{ clickOutsideDeactivates: false, escapeDeactivates: false }'])
  test(`focus-trap ${options}: the chat accepts text beside it`, async ({ page, chat, visit }) => {
    await visit({
      body: `<div id="trap">${FIELD}<button>OK</button></div>`,
      script: `import { createFocusTrap } from 'focus-trap';
        createFocusTrap('#trap', ${options}).activate();`,
    });
    await expect(page.getByLabel('Your name')).toBeFocused();
    await expectChatTakesText(page, chat);
  });
