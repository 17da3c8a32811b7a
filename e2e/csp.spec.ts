import { readFileSync } from 'node:fs';
import { expect, test } from './fixtures.ts';
import { watchViolations } from './page/watch-violations.ts';
import { page as html, serveCustomerSite, snippet } from './stack/customer-site.ts';
import { DOCUMENTED_POLICY, policyFor } from './stack/documented-policy.ts';
import type { Stack } from './stack/stack.ts';

const STORAGES = ['indexedDB', 'localStorage', 'sessionStorage', 'caches'];

/** Serves a customer's page with the widget only, under the given headers. */
const serve = (stack: Stack, headersFor: (policy: string) => Readonly<Record<string, string>>) =>
  serveCustomerSite(stack, {
    render: (_, urls) => ({
      body: html('<h1>A page</h1>', snippet(urls)),
      headers: headersFor(policyFor(urls)),
    }),
  });

test('sends the policy of docs/security.md, which allows nothing inline', () => {
  expect(DOCUMENTED_POLICY).toContain("require-trusted-types-for 'script'");
  expect(DOCUMENTED_POLICY).not.toMatch(/unsafe|\*|data:|blob:/);
});

test('saves and prints the conversation under the policy of docs/security.md', async ({
  page,
  chat,
  stack,
}) => {
  const site = await serve(stack, (policy) => ({ 'content-security-policy': policy }));
  const violations = await watchViolations(page);
  const faults: string[] = [];
  page.on('pageerror', ({ message }) => faults.push(message));
  // A print dialog would wait forever for an answer. Frames run this script too.
  await page.addInitScript(() => {
    window.print = () => Reflect.set(top ?? window, 'printed', document.body.textContent);
  });
  await page.goto(site.urls.site);
  await chat.open();
  await chat.say('Can I bring my dog?');
  await chat.expectAnswer(/dog|pet/i);
  const choose = async (name: string): Promise<void> => {
    await chat.dialog.getByRole('button', { name: 'More' }).click();
    await chat.dialog.getByRole('menuitem', { name }).click();
  };
  for (const [name, content] of [
    ['TXT', 'You: Can I bring my dog?'],
    ['HTML', '<p class="plain" dir="ltr">Can I bring my dog?</p>'],
    ['JSON', '"text": "Can I bring my dog?"'],
  ] as const) {
    const download = page.waitForEvent('download');
    await choose('Download transcript');
    await chat.dialog.getByRole('menuitem', { name }).click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^chat-\d{4}-\d\d-\d\d\.(?:txt|html|json)$/);
    expect(readFileSync(await file.path(), 'utf8')).toContain(content);
  }
  await choose('Print');
  await expect
    .poll(() => page.evaluate(() => Reflect.get(window, 'printed')))
    .toContain('Can I bring my dog?');
  expect((await violations()).filter((line) => line !== 'img-src data')).toEqual([]);
  expect(faults).toEqual([]);
  await site.close();
});

test('answers on a page that is isolated from all other origins', async ({ page, chat, stack }) => {
  const site = await serve(stack, () => ({
    'cross-origin-embedder-policy': 'require-corp',
    'cross-origin-opener-policy': 'same-origin',
  }));
  await page.goto(site.urls.site);
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  await chat.open();
  await chat.say('Can I bring my dog?');
  await chat.expectAnswer(/dog|pet/i);
  await site.close();
});

test('answers with blocked storage, and starts a new conversation after a reload', async ({
  page,
  chat,
  stack,
}) => {
  const site = await serve(stack, () => ({}));
  await page.addInitScript((names) => {
    const refuse = (): never => {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    };
    const own = names.map((name) => [name, Object.getOwnPropertyDescriptor(window, name) ?? {}] as const);
    Reflect.set(window, 'allowStorage', () => Object.defineProperties(window, Object.fromEntries(own)));
    for (const name of names) Object.defineProperty(window, name, { get: refuse, configurable: true });
  }, STORAGES);
  const faults: string[] = [];
  page.on('pageerror', ({ message }) => faults.push(message));
  await page.goto(site.urls.site);
  await chat.open();
  await chat.say('Can I bring my dog?');
  await chat.expectAnswer(/dog|pet/i);
  await page.reload();
  await chat.open();
  await chat.expectQuiet();
  await expect(chat.messages('user')).toHaveCount(0);
  expect(faults).toEqual([]);
  // The check for tokens after the test may read the storage again.
  await page.evaluate(() => Reflect.get(window, 'allowStorage')());
  await site.close();
});
