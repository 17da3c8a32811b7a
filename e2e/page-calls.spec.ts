import { createHmac } from 'node:crypto';
import { createNatter } from '@natter/sdk';
import type { Page } from '@playwright/test';
import { startFlakyLink } from '../demo/link/flaky-link.ts';
import { expect, test } from './fixtures.ts';
import { type CustomerSite, page as html, serveCustomerSite, snippet } from './stack/customer-site.ts';
import { CONTEXT_KEY, PLAIN_TOKEN, RECORDS, type Stack, SURVEY_TOKEN } from './stack/stack.ts';

/** Signs context like a customer's backend for a visitor who is signed in. */
function sign(contextId: string, ctx: object, secret: string = CONTEXT_KEY.secret): string {
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const iat = Math.floor(Date.now() / 1000);
  const signed = `${encode({ alg: 'HS256', kid: CONTEXT_KEY.id })}.${encode({ sub: contextId, iat, exp: iat + 30, ctx })}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

/** Makes the page record the widget's events: results of verified context, and metadata in echoes. */
const listen = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const natter = Reflect.get(window, 'Natter');
    const results: unknown[] = [];
    const echoed: unknown[] = [];
    Object.assign(window, { results, echoed });
    natter.on('context', (result: unknown) => results.push(result));
    natter.on('frame', ({ direction, text }: { readonly direction: string; readonly text: string }) => {
      if (direction !== 'in') return;
      const { type, metadata } = JSON.parse(text);
      if (type !== 'EVENT_TYPE_USER_MESSAGE') return;
      const { client_event_id, local_id, ...facts } = metadata.custom;
      if (client_event_id !== local_id) throw new Error('Two ids of one message.');
      echoed.push(facts);
    });
  });

/** Results of verified context. */
const failed = (reason: string) => ({ status: 'failed', reason });
const ACCEPTED = { status: 'accepted' };

let site: CustomerSite | undefined;
test.afterEach(async () => {
  await site?.close();
  site = undefined;
});

/** Opens a customer's page that records the widget's events. `head` may contain PROXY. */
async function visit(
  page: Page,
  stack: { readonly urls: Pick<Stack['urls'], 'platform'> },
  token?: string,
  head = '',
): Promise<void> {
  site = await serveCustomerSite(stack, {
    render: (_, urls) => ({
      body: html('<h1>A page</h1>', snippet(urls) + head.replaceAll('PROXY', urls.proxy)),
    }),
    ...(token && { token }),
  });
  await page.goto(site.urls.site);
  await listen(page);
}

const read = (page: Page, name: 'results' | 'echoed'): Promise<readonly unknown[]> =>
  page.evaluate((key) => Reflect.get(window, key), name);

test('sends the visitor’s identity and page, and the platform returns it with every message', async ({
  page,
  stack,
  chat,
}) => {
  await visit(page, stack);
  await page.evaluate(async () => {
    const natter = Reflect.get(window, 'Natter');
    await natter.identify({ id: 'ana', name: 'Ana' });
    await natter.setContext({ page: 'Booking', step: 2 });
  });
  await chat.open();
  await chat.say('Can I bring my dog?');
  await chat.expectAnswer(/dog|pet/i);
  const ofAna = { user_id: 'ana', name: 'Ana' };
  expect(await read(page, 'echoed')).toEqual([{ ...ofAna, page: 'Booking', step: '2' }]);

  await page.evaluate(() => Reflect.get(window, 'Natter').setContext({ page: 'Payment' }));
  await chat.ask('And my cat?');
  expect((await read(page, 'echoed'))[1]).toEqual({ ...ofAna, page: 'Payment' });

  const tooMany = page.evaluate(() =>
    Reflect.get(window, 'Natter')
      .setContext({ note: 'x'.repeat(1_025) })
      .catch(String),
  );
  expect(await tooMany).toMatch(/TypeError: .*note/);
});

test('identifies the visitor with messages written before the code for it has loaded', async ({
  page,
  stack,
  chat,
}) => {
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/page-context-[^/]+\.js$/, async (route) => {
    await held;
    await route.continue();
  });
  await visit(page, stack);
  await page.evaluate(() => Reflect.get(window, 'Natter').identify({ id: 'ana' }));
  await chat.open();
  await chat.say('Can I bring my dog?');
  await expect(chat.messages('user')).toHaveCount(1);
  release();
  await chat.expectAnswer(/dog|pet/i);
  expect(await read(page, 'echoed')).toEqual([{ user_id: 'ana' }]);
});

test('shows nothing of a conversation to the next user, nor after a logout', async ({
  page,
  stack,
  chat,
}) => {
  await visit(page, stack);
  await page.evaluate(() => Reflect.get(window, 'Natter').identify({ id: 'ana' }));
  await chat.open();
  await chat.say('Can I bring my dog?');
  await chat.expectAnswer(/dog|pet/i);

  // The same user again changes nothing; another user starts a new conversation.
  await page.evaluate(() => Reflect.get(window, 'Natter').identify({ id: 'ana' }));
  await expect(chat.messages('user')).toHaveCount(1);
  // Neither does the draft stay; the composer keeps the focus.
  await chat.composer.pressSequentially('My number is');
  await page.evaluate(() => Reflect.get(window, 'Natter').identify({ id: 'ben' }));
  await expect(chat.composer).toHaveValue('');
  await expect(chat.composer).toBeFocused();
  await expect(chat.messages('user')).toHaveCount(0);
  await chat.expectAnswer(/Ada/);
  await chat.ask('Do you have wifi on board?');
  expect(await read(page, 'echoed')).toEqual([{ user_id: 'ana' }, { user_id: 'ben' }]);

  await page.evaluate(() => Reflect.get(window, 'Natter').logout());
  await expect(chat.dialog).toBeHidden();
  await page.reload();
  await chat.open();
  await chat.expectAnswer(/Ada/);
  await expect(chat.messages('user')).toHaveCount(0);
});

test('reports the outcome of signed context to the page: accepted, declined or failed, and why', async ({
  page,
  stack,
  chat,
}) => {
  await page.exposeFunction('signFor', (contextId: string, ctx: object) => sign(contextId, ctx));
  await page.exposeFunction('signWrongly', (contextId: string) =>
    sign(contextId, {}, 'the secret of somebody else, as long as any'),
  );
  await page.clock.install();
  await visit(page, stack);
  await page.evaluate(() => {
    const given: unknown[] = [];
    Object.assign(window, { given });
    return Reflect.get(window, 'Natter').onContextRequired((session: { readonly contextId: string }) => {
      given.push(session);
      return Reflect.get(window, 'signFor')(session.contextId, { tier: 'gold', orders: 3 });
    });
  });
  await chat.open();
  await chat.expectAnswer(/Ada/);
  expect(await read(page, 'results')).toEqual([ACCEPTED]);
  expect(await page.evaluate(() => Reflect.get(window, 'given'))).toEqual([
    { sessionId: expect.stringMatching(/.+/), contextId: expect.stringMatching(/.+/) },
  ]);

  /** Sets another handler, given as source text, and runs it for this conversation. */
  const refreshWith = (handler: string): Promise<void> =>
    page.evaluate(`Natter.onContextRequired(${handler}).then(() => Natter.refreshVerifiedContext())`);
  await refreshWith('({ contextId }) => signFor(contextId, { tier: "silver" })');
  await refreshWith('() => ""');
  await refreshWith('() => { throw new Error("The backend is away.") }');
  // Uses the page's clock.
  let isGivenUp = false;
  const givenUp = refreshWith('() => new Promise(() => {})').then(() => {
    isGivenUp = true;
  });
  await expect
    .poll(async () => {
      await page.clock.runFor(1_000);
      return isGivenUp;
    })
    .toBe(true);
  await givenUp;
  await refreshWith('({ contextId }) => signWrongly(contextId)');
  await refreshWith('() => signFor("ctx_of_somebody_else", {})');
  await refreshWith('({ contextId }) => signFor(contextId, { note: "x".repeat(20000) })');
  expect(await read(page, 'results')).toEqual([
    ACCEPTED,
    ACCEPTED,
    { status: 'declined', reason: 'no_token' },
    { status: 'declined', reason: 'handler_failed' },
    { status: 'declined', reason: 'timed_out' },
    failed('invalid_token'),
    failed('invalid_token'),
    failed('token_too_large'),
  ]);

  // The conversation always continues, and a reload does not ask again.
  await chat.say('Can I bring my dog?');
  await chat.expectAnswer(/dog|pet/i);
  await page.reload();
  await listen(page);
  await page.evaluate('Natter.onContextRequired(() => "")');
  await chat.open();
  await expect(chat.messages('user')).toHaveCount(1);
  await chat.expectQuiet();
  expect(await read(page, 'results')).toEqual([]);
});

/** Makes the page answer requests for signed metadata with a valid token. */
async function signAll(page: Page): Promise<void> {
  await page.exposeFunction('signFor', (contextId: string) => sign(contextId, { tier: 'gold' }));
  await page.evaluate('Natter.onContextRequired(({ contextId }) => signFor(contextId))');
}

const refresh = (page: Page): Promise<unknown> => page.evaluate('Natter.refreshVerifiedContext()');

test('reports to the page that the project has no key for signed context', async ({ page, stack, chat }) => {
  const submitted: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/v1/context')) submitted.push(request.url());
  });
  await visit(page, stack, PLAIN_TOKEN);
  await page.evaluate(() => {
    const given: unknown[] = [];
    Object.assign(window, { given });
    return Reflect.get(window, 'Natter').onContextRequired((session: object) => {
      given.push(Object.entries(session));
      return 'a.b.c';
    });
  });
  await chat.open();
  await chat.expectAnswer(/Ada/);
  expect(await page.evaluate(() => Reflect.get(window, 'given'))).toEqual([
    [
      ['sessionId', expect.stringMatching(/.+/)],
      ['contextId', undefined],
    ],
  ]);
  await refresh(page);
  expect(await read(page, 'results')).toEqual([failed('not_enabled')]);
  expect(submitted).toEqual([]);
});

test('reports to the page that signed context arrived after the end of the conversation', async ({
  page,
  stack,
  chat,
}) => {
  await visit(page, stack);
  await signAll(page);
  const anew = chat.dialog.getByRole('button', { name: /start a new chat/i });
  // The platform reports it until the proxy knows.
  await page.route('**/v1/logout', (route) => route.abort());
  await chat.open();
  await chat.expectAnswer(/Ada/);
  await chat.say('thank you, goodbye');
  await expect(anew).toBeVisible();
  await refresh(page);
  expect(await read(page, 'results')).toEqual([ACCEPTED, failed('session_over')]);

  // The proxy reports it after the ticket was revoked.
  await page.unroute('**/v1/logout');
  await anew.click();
  await chat.expectAnswer(/Ada/);
  const revoked = page.waitForResponse((response) => response.url().endsWith('/v1/logout'));
  await chat.say('thank you, goodbye');
  expect((await revoked).status()).toBe(200);
  await expect(anew).toBeVisible();
  await refresh(page);
  expect(await read(page, 'results')).toEqual([
    ...[ACCEPTED, failed('session_over')],
    ...[ACCEPTED, failed('session_over')],
  ]);
});

test('reports to the page that signed context was not delivered, and requests the agent anyway', async ({
  page,
  stack,
  chat,
}) => {
  const { hostname: host, port } = new URL(stack.urls.platform);
  const link = await startFlakyLink({ host, port: Number(port) });
  await visit(page, { urls: { platform: `http://127.0.0.1:${link.port}/` } });
  await signAll(page);
  const away = failed('service_unavailable');
  await page.route('**/v1/context', (route) => route.abort());
  await chat.open();
  await chat.expectAnswer(/Ada/);
  expect(await read(page, 'results')).toEqual([away]);
  await page.unroute('**/v1/context');
  await chat.ask('Can I bring my dog?');
  await refresh(page);
  expect(await read(page, 'results')).toEqual([away, ACCEPTED]);

  link.setConditions({ isRefusing: true });
  link.drop();
  await refresh(page);
  expect(await read(page, 'results')).toEqual([away, ACCEPTED, away]);
  await link.close();
});

test('accepts calls of another widget through the script for compatibility', async ({
  page,
  stack,
  chat,
}) => {
  await page.exposeFunction('signFor', (contextId: string) => sign(contextId, { tier: 'gold' }));
  await visit(page, stack, undefined, '<script src="PROXY/natter/compat.js" defer></script>');
  const given = await page.evaluate(async () => {
    const api = Reflect.get(window, 'WebchatAPI');
    const ready = await new Promise((resolve) => api.onReady(resolve));
    return [
      ready === api,
      api.onContextRequired(({ contextId }: { readonly contextId: string }) =>
        Reflect.get(window, 'signFor')(contextId),
      ),
      api.refreshVerifiedContext(),
      api.showBubble({ message: 'Questions? Ask Ada.', duration: 60_000 }),
      api.animateIcon({ type: 'bounce', durationMs: 100 }),
    ];
  });
  expect(given).toEqual([true, undefined, undefined, undefined, undefined]);
  await expect(page.getByText('Questions? Ask Ada.')).toBeVisible();
  await page.evaluate('WebchatAPI.hideIcon()');
  await expect(chat.launcher).toBeHidden();
  await page.evaluate('WebchatAPI.showIcon()');
  await expect(chat.launcher).toBeVisible();
  await page.evaluate('WebchatAPI.openWidget()');
  await expect(chat.dialog).toBeVisible();
  await chat.expectAnswer(/Ada/);
  expect(await read(page, 'results')).toEqual([ACCEPTED]);
  await chat.say('Can I bring my dog?');
  await chat.expectAnswer(/dog|pet/i);
  await page.evaluate('WebchatAPI.refreshVerifiedContext()');
  await expect.poll(() => read(page, 'results')).toEqual([ACCEPTED, ACCEPTED]);
  await page.evaluate('WebchatAPI.destroy()');
  await expect(chat.dialog).toHaveCount(0);
  await expect(chat.launcher).toHaveCount(0);
  expect(await page.evaluate('typeof WebchatAPI + typeof Natter')).toBe('undefinedundefined');
});

test('asks for a rating at the end, which is part of the conversation’s record', async ({
  page,
  stack,
  chat,
}) => {
  await visit(page, stack, SURVEY_TOKEN);
  const started = page.waitForResponse((response) => response.url().endsWith('/v1/session'));
  await chat.open();
  await started;
  await chat.expectQuiet();
  const question = `Can I bring my dog? ${crypto.randomUUID()}`;
  await chat.ask(question);
  await page.evaluate(() => void Reflect.get(window, 'Natter').endChat());
  const scale = chat.dialog.getByRole('group', { name: 'How would you rate your experience?' });
  await scale.getByRole('button', { name: '4 of 5' }).click();
  await chat.dialog.getByRole('textbox', { name: 'Anything to add?' }).fill('A quick answer.');
  await chat.dialog.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(chat.dialog.getByText('Thank you for your rating.')).toBeVisible();
  await expect(chat.dialog.getByRole('button', { name: /start a new chat/i })).toBeVisible();

  const { conversations } = createNatter({ baseUrl: stack.urls.platform, ...RECORDS });
  await expect
    .poll(async () => {
      const { conversations: found } = await conversations.v3.list({ limit: 100 });
      const own = found.find(({ turns }) => turns.some(({ user_input: input }) => input === question));
      return [own?.metrics['CSAT_SCORE'], own?.metrics['CSAT_COMMENT']];
    })
    .toEqual(['4', 'A quick answer.']);
});

test('changes options of the script tag’s widget in place, and its connector without losing the draft', async ({
  page,
  stack,
  chat,
}) => {
  site = await serveCustomerSite(stack, {
    connectors: ['default', 'sales'],
    render: (_, urls) => ({ body: html('<h1>A page</h1>', snippet(urls, 'data-theme="light"')) }),
  });
  await page.goto(site.urls.site);
  const update = (options: object): Promise<void> =>
    page.evaluate((changes) => Reflect.get(window, 'Natter').update(changes), options);
  // Before the panel has loaded.
  await update({ position: 'start', title: 'Help', language: 'en' });
  await chat.open();
  await expect(chat.dialog).toHaveAccessibleName('Help');
  await chat.ask('Can I bring my dog?');
  await chat.composer.pressSequentially('And my ca');
  await update({ theme: 'dark', title: undefined, disclaimer: 'Ada can be wrong.', language: 'de' });
  await expect(chat.dialog).toContainText('Ada can be wrong.');
  await expect(chat.dialog.getByRole('button', { name: 'Nachricht senden' })).toBeVisible();
  await page.keyboard.type('t?');
  await expect(chat.composer).toHaveValue('And my cat?');
  await expect(chat.transcript).toContainText('Can I bring my dog?');

  // Another connector is another conversation, which takes over the draft and the open panel.
  await update({ connector: 'sales' });
  await expect(chat.dialog).toBeVisible();
  await expect(chat.composer).toBeFocused();
  await expect(chat.composer).toHaveValue('And my cat?');
  await expect(chat.transcript).not.toContainText('Can I bring my dog?');
  await chat.composer.press('Enter');
  await expect(chat.transcript).toContainText('And my cat?');
  // The earlier conversation is still available.
  await update({ connector: 'default' });
  await expect(chat.transcript).toContainText('Can I bring my dog?');
  await expect(page.locator('natter-chat')).toHaveCount(1);
});
