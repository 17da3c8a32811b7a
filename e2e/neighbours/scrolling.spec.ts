import type { Page } from '@playwright/test';
import type { ChatPanel } from '../page/chat-panel.ts';
import { expect, test } from './visit.ts';

const TALL = '<div style="height:5000px">A tall page</div>';

const readTop = (chat: ChatPanel): Promise<number> => chat.transcript.evaluate((log) => log.scrollTop);

/** Expects the wheel over the conversation to scroll only the conversation. */
async function expectWheelScrollsChat(page: Page, chat: ChatPanel): Promise<void> {
  await page.setViewportSize({ width: 1_000, height: 520 });
  await chat.open();
  await chat.ask('Can I bring my dog?');
  await chat.ask('Do you have wifi on board?');
  await expect.poll(() => readTop(chat)).toBeGreaterThan(100);
  await page.waitForFunction(() => !document.documentElement.classList.contains('lenis-scrolling'));
  const before = await readTop(chat);
  await chat.transcript.hover();
  await page.mouse.wheel(0, -80);
  await expect.poll(() => readTop(chat)).toBeLessThan(before);
  expect(await page.evaluate(() => scrollY)).toBe(0);
}

test('Lenis: the wheel over the chat scrolls the conversation', async ({ page, chat, visit }) => {
  await visit({
    body: TALL,
    script: `import Lenis from 'lenis'; window.lenis = new Lenis({ autoRaf: true });`,
  });
  await expectWheelScrollsChat(page, chat);
});

test('a page that handles all wheel events receives none from the chat', async ({ page, chat, visit }) => {
  await visit({
    body: `${TALL}<script>
      addEventListener('wheel', (event) => event.preventDefault(), { passive: false });
      document.addEventListener('touchmove', (event) => event.preventDefault(), { passive: false });
    </script>`,
  });
  await expectWheelScrollsChat(page, chat);
});

test('copying, pasting and selecting work in the chat on a page that forbids them', async ({
  page,
  chat,
  context,
  visit,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await visit({
    head: '<style>* { user-select: none; -webkit-user-select: none }</style>',
    body: `<p>Ours</p><script>
      for (const type of ['copy', 'cut', 'paste', 'selectstart', 'contextmenu', 'dragstart', 'beforeinput'])
        for (const isEarly of [true, false])
          document.addEventListener(type, (event) => event.preventDefault(), isEarly);
    </script>`,
  });
  await chat.open();
  await chat.ask('Can I bring my dog?');
  await chat.composer.click();
  await page.keyboard.type('written');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('ControlOrMeta+x');
  await expect(chat.composer).toHaveValue('');
  await page.keyboard.press('ControlOrMeta+v');
  await page.keyboard.press('ControlOrMeta+v');
  await expect(chat.composer).toHaveValue('writtenwritten');
  const answer = chat.messages('agent').last().locator('p').first();
  expect(await answer.evaluate((text) => getComputedStyle(text).userSelect)).toBe('text');
  await answer.click({ clickCount: 3 });
  await page.keyboard.press('ControlOrMeta+c');
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied.trim()).toBe(((await answer.textContent()) ?? '').trim());
});
