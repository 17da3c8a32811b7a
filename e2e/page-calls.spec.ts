import { createHmac } from 'node:crypto';
import { createNatter } from '@natter/sdk';
import type { Page } from '@playwright/test';
import { page as html, serveCustomerSite, snippet } from './customer-site.ts';
import { expect, test } from './fixtures.ts';
import { CONTEXT_KEY, RECORDS, type Stack, SURVEY_TOKEN } from './stack.ts';

/** What a customer's backend does for a visitor who is signed in. */
function sign(contextId: string, ctx: object, secret: string = CONTEXT_KEY.secret): string {
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const iat = Math.floor(Date.now() / 1000);
  const signed = `${encode({ alg: 'HS256', kid: CONTEXT_KEY.id })}.${encode({ sub: contextId, iat, exp: iat + 30, ctx })}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

const serve = (stack: Stack, head = '', token?: string) =>
  serveCustomerSite(stack, {
    render: (_, urls) => ({
      body: html('<h1>A page</h1>', snippet(urls) + head.replaceAll('PROXY', urls.proxy)),
    }),
    ...(token && { token }),
  });

/** Has the page write down what the widget tells it: results of verified context, and the facts that came back with echoes. */
const listen = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const natter = Reflect.get(window, 'Natter');
    const results: unknown[] = [];
    const echoed: unknown[] = [];
    Object.assign(window, { results, echoed });
    natter.on('context', (result: unknown) => results.push(result));
    natter.on('frame', ({ direction, text }: { readonly direction: string; readonly text: string }) => {
      if (direction !== 'in' || !text.includes('EVENT_TYPE_USER_MESSAGE')) return;
      const { client_event_id, local_id, ...facts } = JSON.parse(text).metadata.custom;
      if (client_event_id !== local_id) throw new Error('Two ids of one message.');
      echoed.push(facts);
    });
  });

const read = (page: Page, name: 'results' | 'echoed'): Promise<readonly unknown[]> =>
  page.evaluate((key) => Reflect.get(window, key), name);

test('says who the visitor is and where, and the platform gives it back with every message', async ({
  page,
  stack,
  chat,
}) => {
  const site = await serve(stack);
  await page.goto(site.urls.site);
  await listen(page);
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
  await chat.say('And my cat?');
  await expect(chat.messages('agent')).toHaveCount(3);
  await chat.expectQuiet();
  expect((await read(page, 'echoed'))[1]).toEqual({ ...ofAna, page: 'Payment' });

  const tooMany = page.evaluate(() =>
    Reflect.get(window, 'Natter')
      .setContext({ note: 'x'.repeat(1_025) })
      .catch(String),
  );
  expect(await tooMany).toMatch(/TypeError: .*note/);
  await site.close();
});

test('shows nothing of a conversation to the next user, nor after a logout', async ({
  page,
  stack,
  chat,
}) => {
  const site = await serve(stack);
  await page.goto(site.urls.site);
  await listen(page);
  await page.evaluate(() => Reflect.get(window, 'Natter').identify({ id: 'ana' }));
  await chat.open();
  await chat.say('Can I bring my dog?');
  await chat.expectAnswer(/dog|pet/i);

  // The same user again changes nothing; another one begins anew.
  await page.evaluate(() => Reflect.get(window, 'Natter').identify({ id: 'ana' }));
  await expect(chat.messages('user')).toHaveCount(1);
  await page.evaluate(() => Reflect.get(window, 'Natter').identify({ id: 'ben' }));
  await expect(chat.messages('user')).toHaveCount(0);
  await chat.expectAnswer(/Ada/);
  await chat.say('Do you have wifi on board?');
  await expect(chat.messages('agent')).toHaveCount(2);
  await chat.expectQuiet();
  expect(await read(page, 'echoed')).toEqual([{ user_id: 'ana' }, { user_id: 'ben' }]);

  await page.evaluate(() => Reflect.get(window, 'Natter').logout());
  await expect(chat.dialog).toBeHidden();
  await page.reload();
  await chat.open();
  await chat.expectAnswer(/Ada/);
  await expect(chat.messages('user')).toHaveCount(0);
  await site.close();
});

test('tells the page what became of its signed context: accepted, declined or failed, and why', async ({
  page,
  stack,
  chat,
}) => {
  const site = await serve(stack);
  await page.exposeFunction('signFor', (contextId: string, ctx: object) => sign(contextId, ctx));
  await page.exposeFunction('signWrongly', (contextId: string) =>
    sign(contextId, {}, 'the secret of somebody else, as long as any'),
  );
  await page.goto(site.urls.site);
  await listen(page);
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
  const accepted = { status: 'accepted' };
  expect(await read(page, 'results')).toEqual([accepted]);
  expect(await page.evaluate(() => Reflect.get(window, 'given'))).toEqual([
    { sessionId: expect.stringMatching(/.+/), contextId: expect.stringMatching(/.+/) },
  ]);

  /** Sets another handler, in the page's own words, and runs it for this conversation. */
  const refreshWith = (handler: string): Promise<void> =>
    page.evaluate(`Natter.onContextRequired(${handler}).then(() => Natter.refreshVerifiedContext())`);
  await refreshWith('({ contextId }) => signFor(contextId, { tier: "silver" })');
  await refreshWith('() => ""');
  await refreshWith('() => { throw new Error("The backend is away.") }');
  await refreshWith('() => new Promise(() => {})');
  await refreshWith('({ contextId }) => signWrongly(contextId)');
  await refreshWith('() => signFor("ctx_of_somebody_else", {})');
  await refreshWith('({ contextId }) => signFor(contextId, { note: "x".repeat(20000) })');
  expect(await read(page, 'results')).toEqual([
    accepted,
    accepted,
    { status: 'declined', reason: 'no_token' },
    { status: 'declined', reason: 'handler_failed' },
    { status: 'declined', reason: 'timed_out' },
    { status: 'failed', reason: 'invalid_token' },
    { status: 'failed', reason: 'invalid_token' },
    { status: 'failed', reason: 'token_too_large' },
  ]);

  // Whatever came of it: the conversation goes on, and a reload does not ask again.
  await chat.say('Can I bring my dog?');
  await chat.expectAnswer(/dog|pet/i);
  await page.reload();
  await listen(page);
  await page.evaluate('Natter.onContextRequired(() => "")');
  await chat.open();
  await expect(chat.messages('user')).toHaveCount(1);
  await chat.expectQuiet();
  expect(await read(page, 'results')).toEqual([]);
  await site.close();
});

test('takes the calls of another widget, by the script beside ours', async ({ page, stack, chat }) => {
  const site = await serve(stack, '<script src="PROXY/natter/compat.js" defer></script>');
  await page.exposeFunction('signFor', (contextId: string) => sign(contextId, { tier: 'gold' }));
  await page.goto(site.urls.site);
  await listen(page);
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
  expect(await read(page, 'results')).toEqual([{ status: 'accepted' }]);
  await chat.say('Can I bring my dog?');
  await chat.expectAnswer(/dog|pet/i);
  await page.evaluate('WebchatAPI.refreshVerifiedContext()');
  await expect.poll(() => read(page, 'results')).toEqual([{ status: 'accepted' }, { status: 'accepted' }]);
  await page.evaluate('WebchatAPI.destroy()');
  await expect(chat.dialog).toHaveCount(0);
  await expect(chat.launcher).toHaveCount(0);
  expect(await page.evaluate('typeof WebchatAPI + typeof Natter')).toBe('undefinedundefined');
  await site.close();
});

test('asks for a rating at the end, which arrives in the conversation’s record', async ({
  page,
  stack,
  chat,
}) => {
  const site = await serve(stack, '', SURVEY_TOKEN);
  await page.goto(site.urls.site);
  const started = page.waitForResponse((response) => response.url().endsWith('/v1/session'));
  await chat.open();
  await started;
  await chat.expectQuiet();
  const question = `Can I bring my dog? ${crypto.randomUUID()}`;
  await chat.say(question);
  await expect(chat.messages('agent')).toHaveCount(2);
  await chat.expectQuiet();
  await page.evaluate(() => void Reflect.get(window, 'Natter').endChat());
  const scale = chat.dialog.getByRole('radiogroup', { name: 'How would you rate your experience?' });
  await expect(scale).toBeVisible();
  await scale.getByRole('radio', { name: '4 of 5' }).click();
  await chat.dialog.getByRole('button', { name: 'Send rating' }).click();
  await expect(chat.dialog.getByText('Thank you for your rating.')).toBeVisible();
  await expect(chat.dialog.getByRole('button', { name: /start a new chat/i })).toBeVisible();

  const { conversations } = createNatter({ baseUrl: stack.urls.platform, ...RECORDS });
  await expect
    .poll(async () => {
      const { conversations: found } = await conversations.v3.list({ limit: 100 });
      const own = found.find(({ turns }) => turns.some(({ user_input: input }) => input === question));
      return own?.metrics['CSAT_SCORE'];
    })
    .toBe('4');
  await site.close();
});
