import type { BrowserContext, Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { ChatPanel } from './page/chat-panel.ts';

const CONSENT = { name: 'I consent and start chat' } as const;

/** Sets attributes of the script tag while the page is parsed, before the deferred script runs. */
const askForConsent = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(
    (attributes) => {
      new MutationObserver(() => {
        const script = document.querySelector('script[src$="natter.js"]');
        for (const [name, value] of Object.entries(attributes)) script?.setAttribute(name, value);
      }).observe(document, { childList: true, subtree: true });
    },
    {
      'data-consent': 'true',
      'data-disclaimer': 'Ada is an automated agent and can be wrong.',
      'data-policy-links': JSON.stringify([
        { label: 'Privacy notice', url: 'https://ferries.example/privacy' },
        { label: 'Old notice', url: 'http://ferries.example/privacy' },
      ]),
      'data-localized': JSON.stringify({ de: { disclaimer: 'Ada ist ein automatischer Assistent.' } }),
    },
  );

/** Records all requests from the page to proxy and platform except the widget's own files. */
function watchTraffic(page: Page): readonly string[] {
  const sent: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/v1/') || request.method() !== 'GET')
      sent.push(`${request.method()} ${pathname}`);
  });
  page.on('websocket', (socket) => sent.push(`socket ${new URL(socket.url()).pathname}`));
  return sent;
}

/** Returns everything that the widget has stored in the browser. */
const readTraces = async (page: Page): Promise<readonly string[]> => [
  ...(await page.context().cookies()).map(({ name }) => `cookie ${name}`),
  ...(await page.evaluate(async () => [
    ...(await indexedDB.databases()).map(({ name }) => `database ${name}`),
    ...Object.keys({ ...localStorage, ...sessionStorage }).filter((key) => key.startsWith('natter')),
  ])),
];

test('sends and stores nothing before the visitor agrees, and starts the conversation afterwards', async ({
  page,
  context,
  stack,
  chat,
}) => {
  await askForConsent(context);
  const warnings: string[] = [];
  page.on('console', (message) => message.type() === 'warning' && warnings.push(message.text()));
  const sent = watchTraffic(page);
  await page.goto(stack.urls.demo);
  await chat.open();
  const consent = chat.dialog.getByRole('button', CONSENT);
  await expect(consent).toBeVisible();
  await expect(chat.dialog.getByText('Ada is an automated agent and can be wrong.')).toBeVisible();
  await expect(chat.dialog.getByRole('link', { name: 'Privacy notice' })).toHaveAttribute(
    'href',
    'https://ferries.example/privacy',
  );
  await expect(chat.dialog.getByRole('link', { name: 'Old notice' })).toHaveCount(0);
  expect(warnings.filter((text) => text.includes('http://ferries.example/privacy'))).toHaveLength(1);
  await expect(chat.composer).toHaveCount(0);

  // The page's commands wait as well; its stored data is checked again after all of them.
  await page.evaluate(() => {
    const natter = Reflect.get(window, 'Natter') as Record<string, (...given: unknown[]) => Promise<unknown>>;
    void natter['send']?.('Can I bring my dog?').then(() =>
      document.documentElement.toggleAttribute('data-sent'),
    );
    return Promise.all([natter['endChat']?.(), natter['logout']?.()]);
  });
  await chat.open();
  await expect(consent).toBeVisible();
  expect(sent).toEqual([]);
  expect(await readTraces(page)).toEqual([]);

  await consent.click();
  await expect(chat.composer).toBeFocused();
  await expect(chat.messages('user')).toHaveText(/Can I bring my dog\?/);
  await chat.expectAnswer(/dog/i);
  await expect(page.locator('html[data-sent]')).toHaveCount(1);
  expect(sent).toContain('POST /v1/session');

  await page.reload();
  await chat.open();
  await expect(chat.messages('user')).toHaveText(/Can I bring my dog\?/);
  await expect(consent).toHaveCount(0);

  await page.evaluate('Natter.endChat()');
  await chat.dialog.getByRole('button', { name: 'Start a new chat' }).click();
  await expect(consent).toBeVisible();
  await expect(chat.messages('user')).toHaveCount(0);
});

test('asks for consent in one tab for all tabs', async ({ page, context, stack, chat }) => {
  await askForConsent(context);
  const other = await context.newPage();
  const sent = watchTraffic(other);
  await other.goto(stack.urls.demo);
  const otherChat = new ChatPanel(other);
  await otherChat.open();
  await expect(other.getByRole('button', CONSENT)).toBeVisible();
  expect(sent).toEqual([]);

  const sentHere = watchTraffic(page);
  await page.goto(stack.urls.demo);
  await chat.open();
  const consent = chat.dialog.getByRole('button', CONSENT);
  await expect(consent).toBeVisible();
  expect(sentHere).toEqual([]);
  await consent.click();
  await chat.expectQuiet();
  await expect(otherChat.composer).toBeVisible();
  await chat.say('Can I bring my dog?');
  await expect(otherChat.messages('user')).toHaveText(/Can I bring my dog\?/);
  // Either tab may lead, because they share one conversation.
  expect([...sent, ...sentHere].filter((call) => call === 'POST /v1/session')).toHaveLength(1);
});

test.describe('in German', () => {
  test.use({ locale: 'de-DE' });

  test('asks for consent in German, with the site’s own text', async ({ page, context, stack }) => {
    await askForConsent(context);
    await page.goto(stack.urls.demo);
    await page.getByRole('button', { name: 'Chat', exact: true }).click();
    await expect(page.getByRole('button', { name: 'Ich stimme zu und starte den Chat' })).toBeVisible();
    await expect(page.getByText('Ada ist ein automatischer Assistent.')).toBeVisible();
  });
});
