import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { type CustomerPage, page as html, serveCustomerSite, snippet } from './stack/customer-site.ts';
import { findFreePort } from './stack/free-port.ts';
import { START_TIMEOUT_MS } from './stack/run-process.ts';
import { NARROW_TOKEN } from './stack/stack.ts';

interface Report {
  readonly findings: readonly { readonly check: string; readonly status: string; readonly message: string }[];
  readonly text: string;
}

/** Runs the diagnosis, and prints the report to the console, where every test looks for tokens. */
const diagnose = (page: Page): Promise<Report> =>
  page.evaluate(async () => {
    const report = await Reflect.get(window, 'Natter').doctor();
    console.log(JSON.stringify(report));
    return report;
  });

const findingOf = (report: Report, check: string): string => {
  const { status, message } = report.findings.find((finding) => finding.check === check) ?? {};
  return `${status}: ${message}`;
};

/** Records every secret that the proxy sends to the page. */
function watchSecrets(page: Page): () => Promise<readonly string[]> {
  const bodies: Promise<unknown>[] = [];
  page.on('response', (response) => {
    if (/\/v1\/(session|resume)$/.test(response.url()) && response.request().method() === 'POST')
      bodies.push(response.json());
  });
  return async () =>
    (await Promise.all(bodies)).flatMap((body) => {
      const {
        access_token: token,
        resume_ticket: ticket,
        session_id: session,
      } = body as Record<string, string>;
      return [...(token ?? '').split('.').slice(1), ticket, session].filter(
        (secret) => secret !== undefined && secret !== '',
      );
    }) as readonly string[];
}

test('the diagnosis finds no problem in a running conversation, and contains no secret', async ({
  page,
  stack,
  chat,
  tokens,
}) => {
  // On another site than the proxy, so that the page itself holds the ticket.
  const site = await serveCustomerSite(stack, {
    host: 'localhost',
    render: (_, urls) => ({ body: html('<h1>A page</h1>', snippet(urls)) }),
  });
  const readSecrets = watchSecrets(page);
  await page.goto(site.urls.site);
  await chat.open();
  await chat.say('Can I bring my dog?');
  await chat.expectAnswer(/dog|pet/i);
  const report = await diagnose(page);
  expect(report.findings.filter(({ status }) => status !== 'ok')).toEqual([]);
  expect(findingOf(report, 'socket')).toBe('ok: The socket is open.');
  expect(await tokens.count()).toBe(1);
  const secrets = await readSecrets();
  expect(secrets.length).toBeGreaterThan(3);
  const text = JSON.stringify(report);
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  expect(text).not.toContain('dog');
  await site.close();
});

test('the diagnosis reports earlier blocked requests, by origin only', async ({ page, stack, chat }) => {
  const site = await serveCustomerSite(stack, {
    render: (_, urls) => ({
      body: html('<h1>A page</h1><img src="https://elsewhere.example/a.png" alt="">', snippet(urls)),
      headers: {
        'content-security-policy': `default-src 'none'; script-src ${urls.proxy}; connect-src ${urls.proxy}`,
      },
    }),
  });
  const readSecrets = watchSecrets(page);
  await page.goto(site.urls.site);
  await chat.open();
  await expect(chat.dialog.getByRole('button', { name: /try (now|again)/i })).toBeVisible();
  const report = await diagnose(page);
  // The page's own picture was blocked as well, which does not concern the widget.
  expect(findingOf(report, 'policy')).toContain(
    `fault: The page's Content-Security-Policy refused connect-src ${site.urls.socket}. `,
  );
  const secrets = await readSecrets();
  expect(secrets.length).toBeGreaterThan(0);
  expect(secrets.filter((secret) => JSON.stringify(report).includes(secret))).toEqual([]);
  await site.close();
});

test('the diagnosis reports an address with another server, and a script that is embedded twice', async ({
  page,
  stack,
}) => {
  const elsewhere: CustomerPage = { body: 'A shop.', headers: { 'access-control-allow-origin': '*' } };
  const site = await serveCustomerSite(stack, {
    render: (path, urls) =>
      path.startsWith('/shop')
        ? elsewhere
        : {
            body: html('<h1>A page</h1>', snippet(urls, `data-endpoint="${urls.site}/shop"`) + snippet(urls)),
          },
  });
  await page.goto(site.urls.site);
  const report = await diagnose(page);
  expect(findingOf(report, 'token proxy')).toMatch(
    /^fault: The server at .*\/shop responds with status 200 but is not a token proxy/,
  );
  expect(findingOf(report, 'duplicates')).toMatch(/^warning: The page has 2 script tags of natter\.js/);
  await site.close();
});

test('the diagnosis reports a proxy that rejects the page', async ({ page, stack }) => {
  const site = await serveCustomerSite(stack, {
    render: (_, urls) => ({ body: html('<h1>A page</h1>', snippet(urls)) }),
  });
  // The same page under another name has another origin, which the proxy does not know.
  await page.goto(site.urls.site.replace('127.0.0.1', 'localhost'));
  const report = await diagnose(page);
  expect(findingOf(report, 'token proxy')).toMatch(/^ok/);
  expect(findingOf(report, 'origin')).toMatch(/^fault: The proxy rejects http:\/\/localhost:\d+/);
  await site.close();
});

test('the diagnosis reports a page without an origin, and causes no error of the page', async ({
  page,
  stack,
}) => {
  const site = await serveCustomerSite(stack, {
    render: (path, urls) => ({
      body: html(
        '<h1>A page</h1>',
        path === '/framed'
          ? snippet(urls)
          : '<iframe sandbox="allow-scripts" src="/framed" width="600" height="700"></iframe>',
      ),
    }),
  });
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  await page.goto(site.urls.site);
  const frame = page.frameLocator('iframe');
  await frame.getByRole('button', { name: /chat/i }).click();
  await expect(frame.getByRole('dialog')).toContainText(/couldn’t|try now/i);
  const text = await frame
    .locator('body')
    .evaluate(async () => (await Reflect.get(window, 'Natter').doctor()).text);
  expect(text).toMatch(/FAULT +origin: The page has no origin,/);
  expect(text).toMatch(/warning +storage: Storage is blocked/);
  expect(errors).toEqual([]);
  await site.close();
});

test.describe('where handshakes are refused', () => {
  test('the diagnosis names a host that the connector lacks, and the widget stops requesting sessions', async ({
    page,
    stack,
    chat,
  }) => {
    const site = await serveCustomerSite(stack, {
      host: 'localhost',
      token: NARROW_TOKEN,
      render: (_, urls) => ({ body: html('<h1>A page</h1>', snippet(urls)) }),
    });
    const sessions: string[] = [];
    const sockets: string[] = [];
    page.on('request', (request) => {
      if (/\/v1\/session$/.test(request.url()) && request.method() === 'POST') sessions.push(request.url());
    });
    page.on('websocket', (socket) => sockets.push(socket.url()));
    await page.goto(site.urls.site);
    await chat.open();
    await expect(chat.dialog).toContainText('This chat isn’t set up for this site.');
    expect([sessions.length, sockets.length]).toEqual([1, 3]);
    const report = await diagnose(page);
    expect(findingOf(report, 'host')).toBe(
      'fault: The platform rejects sockets of this page: localhost is not a host of the connector "default". Add it to "hosts" of that connector at the platform.',
    );
    expect(report.text).not.toContain('reconnecting');
    await site.close();
  });

  test('the diagnosis names an unreachable socket address while the client still tries', async ({
    page,
    stack,
    chat,
  }) => {
    const websocketUrl = `ws://127.0.0.1:${await findFreePort()}/ws`;
    const site = await serveCustomerSite(stack, {
      websocketUrl,
      render: (_, urls) => ({ body: html('<h1>A page</h1>', snippet(urls)) }),
    });
    await page.goto(site.urls.site);
    await chat.open();
    await expect(chat.dialog).toContainText(/trying again|try now/i);
    const report = await diagnose(page);
    expect(findingOf(report, 'socket')).toBe(
      `fault: Neither this page nor the token proxy can reach the socket address ${websocketUrl} (ECONNREFUSED). Correct NATTER_WEBSOCKET_URL (websocketUrl) of the token proxy; if unset, the address comes from NATTER_UPSTREAM_URL.`,
    );
    await site.close();
  });
});

test('the diagnosis names an agent that the platform lacks', async ({ page, stack, chat }) => {
  // The platform starts twice.
  test.setTimeout(2 * START_TIMEOUT_MS);
  await stack.killPlatform();
  await stack.startPlatform(true);
  await page.goto(stack.urls.demo);
  await chat.open();
  await expect(chat.dialog).toContainText(/unable to start a conversation/);
  const report = await diagnose(page);
  expect(findingOf(report, 'agent')).toMatch(
    /^fault: No answers: the project's agent "ada" does not exist\./,
  );
  await stack.killPlatform();
  await stack.startPlatform();
});

test('the diagnosis reports that the platform is down', async ({ page }) => {
  const platform = `http://127.0.0.1:${await findFreePort()}/`;
  const site = await serveCustomerSite(
    { urls: { platform } },
    { render: (_, urls) => ({ body: html('<h1>A page</h1>', snippet(urls)) }) },
  );
  await page.goto(site.urls.site);
  const report = await diagnose(page);
  expect(findingOf(report, 'token proxy')).toMatch(/^ok/);
  expect(findingOf(report, 'platform')).toMatch(/^fault: The platform does not respond to the proxy/);
  await site.close();
});
