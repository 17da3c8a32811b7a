import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeAccessToken, TOKEN_PATH } from '../../test/fake-upstream.ts';
import { createProxyFixture, makePost, PAGE_ORIGIN, type ProxyFixture } from '../../test/proxy-fixture.ts';
import { createTokenProxy } from '../create-token-proxy.ts';
import type { TokenProxy } from '../options.ts';
import { createTicketKey } from './ticket-key.ts';

const SAME_SITE = { 'Sec-Fetch-Site': 'same-site' };
const OTHER_ORIGIN = 'https://shop.kittiwake.example';

let fixture: ProxyFixture;
beforeEach(async () => {
  fixture = await createProxyFixture({ allowedOrigins: [PAGE_ORIGIN, OTHER_ORIGIN] });
});
afterEach(() => fixture.upstream.close());

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly setCookie: string | null;
}

/** A browser on one page: it keeps the proxy's cookies and sends them back. */
function openBrowser(
  headers: Readonly<Record<string, string>> = SAME_SITE,
  proxy: TokenProxy = fixture.proxy,
) {
  const jar = new Map<string, string>();
  return {
    jar,
    post: async (
      path: string,
      body: object,
      more: Readonly<Record<string, string>> = {},
    ): Promise<Answer> => {
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
      const response = await proxy(makePost(path, body, { Cookie: cookie, ...headers, ...more }));
      const setCookie = response.headers.get('set-cookie');
      const [pair = ''] = setCookie?.split(';') ?? [];
      const [name = '', value = ''] = pair.split('=');
      if (setCookie !== null && value !== '') jar.set(name, value);
      if (setCookie?.includes('Max-Age=0')) jar.delete(name);
      return { status: response.status, body: Object(await response.json()), setCookie };
    },
  };
}

type Browser = ReturnType<typeof openBrowser>;

/** Has a conversation, so that its ticket is in the cookie. */
async function talk(browser: Browser): Promise<Answer> {
  const { body } = await browser.post('/v1/session', {});
  return browser.post('/v1/resume', { resume_ticket: body['resume_ticket'] });
}

describe('the resume cookie', () => {
  it('sets the cookie not for a new session, but with the first resume after its first use', async () => {
    const browser = openBrowser();
    const { body, setCookie } = await browser.post('/v1/session', {});
    expect(setCookie).toBeNull();
    expect(body).toMatchObject({ resume_by: 'cookie', resume_ticket: expect.stringMatching(/^eyJ/) });
    const used = await browser.post('/v1/resume', { resume_ticket: body['resume_ticket'] });
    expect(used.setCookie).toMatch(
      /^__Host-natter-[\w-]{12}=eyJ[\w.-]+; Max-Age=600; Path=\/; Secure; HttpOnly; SameSite=Strict$/,
    );
    expect(used.body).toMatchObject({ resume_by: 'cookie', resume_ticket: '' });
  });

  it('resumes the same session from the cookie alone, and renews it', async () => {
    const browser = openBrowser();
    const { body } = await talk(browser);
    const before = [...browser.jar.values()];
    for (let renewals = 0; renewals < 3; renewals += 1) {
      fixture.clock.advance(590_000);
      const again = await browser.post('/v1/resume', {});
      expect(again.body).toMatchObject({
        session_id: body['session_id'],
        access_token: body['access_token'],
      });
    }
    expect([...browser.jar.values()]).not.toEqual(before);
    fixture.clock.advance(600_000);
    expect((await browser.post('/v1/resume', {})).status).toBe(410);
  });

  it.each([
    ['a page of another site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['a browser that does not say where the page is', { 'Sec-Fetch-Site': '' }],
    ['a page without encryption', { ...SAME_SITE, Origin: 'http://www.kittiwake.example' }],
  ])('does not use the resume cookie for %s', async (_, headers) => {
    const proxy = createTokenProxy({
      ...fixture.options,
      allowedOrigins: [PAGE_ORIGIN, 'http://www.kittiwake.example'],
    });
    const used = await talk(openBrowser(headers, proxy));
    expect(used.setCookie).toBeNull();
    expect(used.body).toMatchObject({ resume_by: 'ticket', resume_ticket: expect.stringMatching(/^eyJ/) });
    expect((await openBrowser(headers, proxy).post('/v1/resume', {})).status).toBe(410);
  });

  // WebKit rejects secure cookies without TLS, even on loopback.
  it('uses an insecure cookie on loopback hosts, for development', async () => {
    const origin = 'http://127.0.0.1:4321';
    const proxy = createTokenProxy({ ...fixture.options, allowedOrigins: [origin] });
    const browser = openBrowser({ ...SAME_SITE, Origin: origin }, proxy);
    const used = await talk(browser);
    expect(used.setCookie).toMatch(
      /^natter-[\w-]{12}=eyJ[\w.-]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    const again = await browser.post('/v1/resume', {});
    expect(again.body['session_id']).toBe(used.body['session_id']);
  });

  it('ignores the cookie for a page of another site', async () => {
    const browser = openBrowser();
    await talk(browser);
    const forged = await browser.post('/v1/resume', {}, { 'Sec-Fetch-Site': 'cross-site' });
    expect(forged.status).toBe(410);
  });

  it('sets one cookie per origin, connector and mount path, valid for these only', async () => {
    const connectors = { ...fixture.options.connectors, sales: { token: 'second', host: 'www.example' } };
    const proxy = createTokenProxy({ ...fixture.options, connectors });
    const browser = openBrowser(SAME_SITE, proxy);
    await talk(browser);
    expect((await browser.post('/v1/resume', { connector: 'sales' })).status).toBe(410);
    expect((await browser.post('/v1/resume', {}, { Origin: OTHER_ORIGIN })).status).toBe(410);
    const [[name = '', ticket = ''] = []] = browser.jar;
    const { body } = await browser.post('/v1/session', { connector: 'sales' });
    await browser.post('/v1/resume', { connector: 'sales', resume_ticket: body['resume_ticket'] });
    expect(browser.jar.size).toBe(2);
    expect(browser.jar.get(name)).toBe(ticket);
  });

  it('uses a ticket if browsers would drop the cookie for its size', async () => {
    const token = makeAccessToken({ padding: 'p'.repeat(3_000) });
    fixture.upstream.script(TOKEN_PATH, [{ status: 200, body: { access_token: token } }]);
    const used = await talk(openBrowser());
    expect(used.setCookie).toBeNull();
    expect(used.body).toMatchObject({ resume_by: 'ticket', resume_ticket: expect.stringMatching(/^eyJ/) });
  });

  it('decrypts a cookie with an older key and renews it with the first', async () => {
    const newKey = createTicketKey();
    const { options } = fixture;
    const rotated = createTokenProxy({ ...options, ticketKeys: [newKey, ...options.ticketKeys] });
    const later = createTokenProxy({ ...options, ticketKeys: [newKey] });
    const before = openBrowser();
    await talk(before);
    const after = openBrowser(SAME_SITE, rotated);
    for (const [name, value] of before.jar) after.jar.set(name, value);
    expect((await after.post('/v1/resume', {})).status).toBe(200);
    const last = openBrowser(SAME_SITE, later);
    for (const [name, value] of after.jar) last.jar.set(name, value);
    expect((await last.post('/v1/resume', {})).status).toBe(200);
    const stale = openBrowser(SAME_SITE, later);
    for (const [name, value] of before.jar) stale.jar.set(name, value);
    expect((await stale.post('/v1/resume', {})).status).toBe(410);
  });

  it('removes the cookie when the page starts another session', async () => {
    const browser = openBrowser();
    await talk(browser);
    const { setCookie } = await browser.post('/v1/session', {});
    expect(setCookie).toMatch(/=; Max-Age=0; Path=\/; Secure; HttpOnly; SameSite=Strict$/);
    expect(browser.jar.size).toBe(0);
  });
});

describe('POST /v1/logout', () => {
  it('removes the cookie on logout, and refuses copies of its ticket', async () => {
    const browser = openBrowser();
    await talk(browser);
    const copy = [...browser.jar.values()][0];
    const { status, body } = await browser.post('/v1/logout', {});
    expect([status, body]).toEqual([200, { status: 'logged_out' }]);
    expect(browser.jar.size).toBe(0);
    expect((await browser.post('/v1/resume', { resume_ticket: copy })).status).toBe(410);
  });

  it("refuses every ticket of a logged-out session, older and newer, for a ticket's lifetime", async () => {
    const page = openBrowser({});
    const first = await talk(page);
    const second = await page.post('/v1/resume', { resume_ticket: first.body['resume_ticket'] });
    await page.post('/v1/logout', { resume_ticket: first.body['resume_ticket'] });
    for (const { body } of [first, second]) {
      expect((await page.post('/v1/resume', { resume_ticket: body['resume_ticket'] })).status).toBe(410);
    }
    fixture.clock.advance(599_000);
    expect((await page.post('/v1/resume', { resume_ticket: second.body['resume_ticket'] })).status).toBe(410);
  });

  it('does not affect other sessions on logout', async () => {
    const page = openBrowser({});
    const mine = await talk(page);
    fixture.upstream.script('/api/v1/sessions', [{ status: 200, body: { session_id: 'another' } }]);
    const theirs = await talk(page);
    await page.post('/v1/logout', { resume_ticket: mine.body['resume_ticket'] });
    const resumed = await page.post('/v1/resume', { resume_ticket: theirs.body['resume_ticket'] });
    expect(resumed.status).toBe(200);
  });

  it.each([[{}], [{ resume_ticket: 'no-ticket' }]])(
    'reports success for a logout without a session: %j',
    async (body) => {
      expect((await openBrowser().post('/v1/logout', body)).status).toBe(200);
    },
  );

  it('does not call the authorize hook on logout, which may no longer know the visitor', async () => {
    const proxy = createTokenProxy({ ...fixture.options, authorize: () => false });
    expect((await openBrowser(SAME_SITE, proxy).post('/v1/logout', {})).status).toBe(200);
  });

  it('shares logouts between replicas with the same store', async () => {
    const ended = new Map<string, number>();
    const revocations = {
      add: async (id: string, seconds: number): Promise<void> => void ended.set(id, seconds),
      has: async (id: string): Promise<boolean> => ended.has(id),
    };
    const [one, other] = [0, 1].map(() => createTokenProxy({ ...fixture.options, revocations }));
    const page = openBrowser({}, one);
    const { body } = await talk(page);
    await page.post('/v1/logout', { resume_ticket: body['resume_ticket'] });
    expect([...ended.values()]).toEqual([600]);
    const elsewhere = await openBrowser({}, other).post('/v1/resume', {
      resume_ticket: body['resume_ticket'],
    });
    expect(elsewhere.status).toBe(410);
  });
});
