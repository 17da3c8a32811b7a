import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../kit/clock.ts';
import { createOutboundClient } from '../../kit/http/outbound/index.ts';
import { checkSite, type SiteCheck } from './check-site.ts';
import type { SiteFinding } from './site-finding.ts';

interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}
type Respond = (request: IncomingMessage) => Answer;

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** Serves answers on a free port of this machine, and resolves with the origin. */
async function serve(respond: Respond): Promise<string> {
  const server = createServer((request, response) => {
    const { status = 200, headers = {}, body = '' } = respond(request);
    response.writeHead(status, headers).end(body);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A token proxy that lets every origin in, but for what a test answers itself. */
const serveProxy = (respond: (request: IncomingMessage) => Answer | null = () => null): Promise<string> =>
  serve((request) => {
    const given = respond(request);
    if (given !== null) return given;
    const cors = { 'access-control-allow-origin': request.headers.origin ?? '' };
    if (request.method === 'OPTIONS') return { status: 204, headers: cors };
    return request.url === '/v1/health'
      ? {
          headers: { ...cors, 'content-type': 'application/json' },
          body: '{"status":"ok","version":"1.0.0"}',
        }
      : { headers: { 'content-type': 'text/javascript; charset=utf-8' }, body: 'run()' };
  });

const HTML = { 'content-type': 'text/html; charset=utf-8' };
const VIEWPORT = '<meta name="viewport" content="width=device-width">';
const tagOf = (proxy: string): string => `<script src="${proxy}/natter.js" defer></script>`;
const pageWith = (body: string, head = VIEWPORT): Answer => ({
  headers: HTML,
  body: `<!doctype html><html><head>${head}</head><body>${body}</body></html>`,
});

async function check(url: string, more: Partial<SiteCheck> = {}): Promise<readonly SiteFinding[]> {
  const client = createOutboundClient({ allowsPrivateAddresses: true, keepsConnections: false });
  const { findings } = await checkSite({
    ...{ url: new URL(url), client, clock: systemClock, tokenProxyUrl: null, platformOrigin: null },
    isRegistered: () => true,
    signal: new AbortController().signal,
    ...more,
  });
  return findings;
}

const textOf = (findings: readonly SiteFinding[], wanted: SiteFinding['check']): string => {
  const { status, message, code } = findings.find(({ check: name }) => name === wanted) ?? {};
  return `${status}: ${message}${code ? ` ${code}` : ''}`;
};

describe('a check of a site', () => {
  it('finds nothing wrong where all is well', async () => {
    const proxy = await serveProxy();
    const site = await serve(() => pageWith(tagOf(proxy)));
    const findings = await check(site, { tokenProxyUrl: proxy });
    expect(findings.filter(({ status }) => status !== 'ok')).toEqual([]);
    expect(findings.map(({ check: name }) => name)).toEqual([
      'page',
      'tag',
      'address',
      'secure connection',
      'security policy',
      'script file',
      'token proxy',
      'origin',
      'platform',
      'connector',
      'phones',
    ]);
  });

  it.each<readonly [string, Answer, RegExp]>([
    ['is not there', { status: 404, headers: HTML }, /There is no such page \(status 404\)/],
    ['needs a sign-in', { status: 403, headers: HTML }, /refuses the platform \(status 403\)/],
    ['fails', { status: 502, headers: HTML }, /answers with an error \(status 502\)/],
    ['is a picture', { headers: { 'content-type': 'image/png' } }, /is not a web page \(image\/png\)/],
    ['is compressed', { headers: { ...HTML, 'content-encoding': 'br' } }, /comes compressed \(br\)/],
    [
      'is too large',
      { headers: HTML, body: 'x'.repeat(2 * 1024 * 1024 + 1) },
      /more than a page should hold/,
    ],
    [
      'leads nowhere',
      { status: 302, headers: { location: 'ftp://127.0.0.1/' } },
      /leads on too often, or to nothing/,
    ],
    ['leads to itself', { status: 302, headers: { location: '/' } }, /leads on too often, or to nothing/],
  ])('says when the page %s', async (_, answer, expected) => {
    const findings = await check(await serve(() => answer));
    expect(findings).toHaveLength(1);
    expect(textOf(findings, 'page')).toMatch(expected);
    expect(findings[0]?.status).toBe('fault');
  });

  it('says when no server answers, and when private addresses are not allowed', async () => {
    const site = await serve(() => pageWith(''));
    await new Promise((resolve) => servers.pop()?.close(resolve));
    expect(textOf(await check(site), 'page')).toMatch(/^fault: No web server runs at 127\.0\.0\.1/);
    const client = createOutboundClient({ allowsPrivateAddresses: false });
    expect(textOf(await check(site, { client }), 'page')).toMatch(
      /^fault: 127\.0\.0\.1:\d+ has a private address.*“webhook_private_addresses”/,
    );
    const refused = createOutboundClient({
      allowsPrivateAddresses: true,
      resolve: async () => Promise.reject(Object.assign(new Error('x'), { code: 'ENOTFOUND' })),
    });
    expect(textOf(await check('http://shop.test/', { client: refused }), 'page')).toMatch(
      /^fault: There is no server by the name shop\.test/,
    );
  });

  it('checks the address of each redirect', async () => {
    const proxy = await serveProxy();
    const site = await serve(({ url }) =>
      url === '/' ? { status: 301, headers: { location: '/en' } } : pageWith(tagOf(proxy)),
    );
    expect(textOf(await check(site), 'page')).toBe(`ok: The page answers. It leads on to ${site}/en.`);
    // Of the two hosts, one leads into the network.
    const outside = createOutboundClient({
      allowsPrivateAddresses: false,
      resolve: async () => ['192.0.2.1'],
    });
    const inside = createOutboundClient({ allowsPrivateAddresses: true });
    const client = {
      send: (request: Parameters<typeof inside.send>[0]) =>
        (new URL(request.url).pathname === '/' ? inside : outside).send(request),
    };
    expect(textOf(await check(site, { client }), 'page')).toMatch(/has a private address/);
  });

  it.each<readonly [string, string, RegExp]>([
    ['is missing', '<p>Hello</p>', /^fault: The tag is not in the page’s HTML.*press F12.* <script src="/],
    ['is in a comment', '<!-- <script src="/natter.js"></script> -->', /^fault: The tag is inside a comment/],
    [
      'may come from a tag manager',
      '<script>j.src="https://www.googletagmanager.com/gtm.js?id="+i</script>',
      /^warning: The tag is not in the page’s own HTML\. The page uses Google Tag Manager.*cannot be seen from here.*press F12/,
    ],
    [
      'is added by a script',
      '<script>s.src="https://chat.shop.test/natter.js"</script>',
      /^warning: .*A script of the page seems to add the chat/,
    ],
    ['is a module', '<script type="module" src="/natter.js"></script>', /^fault: The tag has type="module"/],
    [
      'is there twice',
      '<script src="/natter.js"></script>'.repeat(2),
      /^warning: The tag is on the page 2 times/,
    ],
  ])('says when the tag %s', async (_, body, expected) => {
    const site = await serve(() => pageWith(body));
    expect(textOf(await check(site, { tokenProxyUrl: 'http://127.0.0.1:9' }), 'tag')).toMatch(expected);
  });

  it('says when the tag has another address, and when that is only an example', async () => {
    const proxy = await serveProxy();
    const site = await serve(({ url }) =>
      pageWith(tagOf(url === '/copied' ? 'https://chat.example.com' : proxy)),
    );
    const known = { tokenProxyUrl: 'https://chat.shop.test' };
    expect(textOf(await check(site, known), 'address')).toBe(
      `warning: The tag loads the chat from ${proxy}; the token proxy of this installation is https://chat.shop.test. If that is not intended, use this tag: <script src="https://chat.shop.test/natter.js" defer></script>`,
    );
    const copied = await check(`${site}/copied`, known);
    expect(textOf(copied, 'address')).toMatch(/^fault: https:\/\/chat\.example\.com is an example/);
    const right = await check(`${site}/copied`, { tokenProxyUrl: proxy });
    expect(textOf(right, 'script file')).toBe(`ok: ${proxy}/natter.js answers with the chat’s script.`);
  });

  it('says when the script is not there, or is no JavaScript', async () => {
    const missing = await serveProxy(({ url }) => (url === '/natter.js' ? { status: 404 } : null));
    const page = await serveProxy(({ url }) => (url === '/natter.js' ? pageWith('') : null));
    const site = await serve(({ url }) => pageWith(tagOf(url === '/page' ? page : missing)));
    expect(textOf(await check(site), 'script file')).toMatch(/^fault: .* answers with status 404/);
    expect(textOf(await check(`${site}/page`), 'script file')).toMatch(
      /^fault: .* answers with text\/html; charset=utf-8 in place of JavaScript/,
    );
  });

  it('reports a proxy that refuses the page, has lost its platform, is another server, or does not answer', async () => {
    const health = async (answer: Answer) => {
      const proxy = await serveProxy(({ url }) => (url === '/v1/health' ? answer : null));
      return await check(await serve(() => pageWith(tagOf(proxy))));
    };
    const refusal = (code: string): Answer => ({
      status: 403,
      body: JSON.stringify({ error: 'x', code, retryable: false }),
    });
    const refused = await health(refusal('ORIGIN_NOT_ALLOWED'));
    expect(textOf(refused, 'origin')).toMatch(
      /^fault: .* does not let pages of (http:\/\/127\.0\.0\.1:\d+) in\. Add it to NATTER_ALLOWED_ORIGINS.* \1$/,
    );
    expect(textOf(await health(refusal('UPSTREAM_UNAVAILABLE')), 'platform')).toMatch(
      /^fault: The token proxy does not reach the platform/,
    );
    expect(textOf(await health(pageWith('')), 'token proxy')).toMatch(
      /^fault: .* answers with status 200, but is not a token proxy/,
    );
    const site = await serve(() => pageWith(tagOf('http://127.0.0.1:9')));
    expect(textOf(await check(site), 'token proxy')).toMatch(/^fault: No web server runs at 127\.0\.0\.1:9/);
  });

  it('says when something in front of the proxy drops the answer to a preflight', async () => {
    const proxy = await serveProxy(({ method }) => (method === 'OPTIONS' ? { status: 405 } : null));
    const site = await serve(() => pageWith(tagOf(proxy)));
    expect(textOf(await check(site), 'origin')).toMatch(/^fault: .*\(CORS; status 405\)/);
    const silent = await serveProxy(({ method }) => (method === 'OPTIONS' ? { status: 204 } : null));
    const other = await serve(() => pageWith(tagOf(silent)));
    expect(textOf(await check(other), 'origin')).toMatch(/^fault: .*\(CORS; status 204\)/);
  });

  it('says when no connector has the host of the page, and when phones shrink it', async () => {
    const site = await serve(() => pageWith('', ''));
    const findings = await check(site, { isRegistered: (origin) => origin !== site });
    expect(textOf(findings, 'connector')).toMatch(/^warning: No connector of this project has the host 127/);
    expect(textOf(findings, 'phones')).toMatch(/^warning: .*<meta name="viewport"/);
  });
});
