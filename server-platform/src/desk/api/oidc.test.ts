import { decodeJwt, generateKeyPair, SignJWT } from 'jose';
import * as v from 'valibot';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { EMBEDDED_ENGINE } from '../../../test/db/engines.ts';
import { type DeskFixture, startDeskFixture, type TestDesk } from '../../../test/desk/desk-fixture.ts';
import { type OidcServer, startOidcServer } from '../../../test/desk/oidc-server.ts';
import { createOidcSignIn, oidcSchema } from '../../staff/oidc-sign-in.ts';

const REDIRECT_URI = 'http://localhost/desk/api/oidc/callback';

let fixture: DeskFixture;
let provider: OidcServer;
let admin: TestDesk;
beforeAll(async () => {
  fixture = await startDeskFixture(EMBEDDED_ENGINE);
  provider = await startOidcServer(REDIRECT_URI);
  admin = await fixture.sitDown('Root', { role: 'admin' });
  await fixture.sitDown('Grace');
});
afterAll(async () => {
  await provider.close();
  await fixture.stop();
});
beforeEach(() => {
  const { issuer, client } = provider;
  provider.forge = (idToken) => idToken;
  fixture.oidc = createOidcSignIn({ issuer, ...client, redirectUri: REDIRECT_URI, name: 'Kittiwake' });
});

/** Opens an address of the desk as a browser does that comes from another site. */
async function open(path: string, cookies: readonly string[] = []) {
  const headers = { Cookie: cookies.join('; '), 'Sec-Fetch-Site': 'cross-site' };
  const answer = await fixture.fetch(new Request(`http://localhost/desk/api${path}`, { headers }));
  const set = answer.headers.getSetCookie();
  return {
    status: answer.status,
    location: answer.headers.get('location') ?? '',
    set,
    cookies: set.map((each) => each.split(';')[0] ?? ''),
  };
}

/** Signs in at the provider as far as the way back. */
async function visit(email: string, isVerified?: boolean) {
  const started = await open('/oidc/start');
  const back = await provider.visit(new URL(started.location), email, isVerified);
  return { cookies: started.cookies, back, path: `/oidc/callback${back.search}`, started };
}

it('signs in a person whose email address the provider has verified', async () => {
  expect((await admin.call('GET /sign-in-options')).body).toEqual({ oidc: 'Kittiwake' });
  const { started, cookies, path } = await visit('grace@example.com');
  const asked = new URL(started.location).searchParams;
  expect([asked.get('response_type'), asked.get('code_challenge_method')]).toEqual(['code', 'S256']);
  expect(asked.get('nonce')).toBeTruthy();
  expect(started.set[0]).toMatch(
    /^__Host-natter-oidc=.*; Path=\/; Max-Age=600; Secure; HttpOnly; SameSite=Lax$/,
  );
  const done = await open(path, cookies);
  expect([done.status, done.location]).toEqual([302, '/console/']);
  const me = await fixture.fetch(
    new Request('http://localhost/desk/api/me', { headers: { Cookie: done.cookies.join('; ') } }),
  );
  expect(await me.json()).toMatchObject({ email: 'grace@example.com' });
  const { entries } = (await admin.call('GET /audit')).body as { entries: readonly object[] };
  expect(entries[0]).toMatchObject({ actor: 'grace@example.com', action: 'sign_in_oidc' });
});

it('rejects unverified addresses, unknown ones, and disabled people', async () => {
  const end = async (email: string, isVerified = true): Promise<string> => {
    const { cookies, path } = await visit(email, isVerified);
    const { location, cookies: set } = await open(path, cookies);
    expect(set.join()).not.toContain('natter-desk=');
    return location;
  };
  expect(await end('grace@example.com', false)).toBe('/console/?sign_in=not_verified');
  expect(await end('stranger@example.com')).toBe('/console/?sign_in=unknown_person');
  const tim = await fixture.sitDown('Tim');
  await admin.call(`POST /people/${tim.id}/disable`);
  expect(await end('tim@example.com')).toBe('/console/?sign_in=unknown_person');
});

it('refuses a callback of another browser, used before, or changed, and logs no secret', async () => {
  const { failures } = fixture.platform;
  const { cookies, path, back } = await visit('grace@example.com');
  const other = await open('/oidc/start');
  const changed = new URLSearchParams(back.search);
  changed.set('state', 'x');
  const before = failures.length;
  expect((await open(path)).location).toBe('/console/?sign_in=failed');
  expect((await open(path, ['__Host-natter-oidc=e30'])).location).toBe('/console/?sign_in=failed');
  expect((await open(path, other.cookies)).location).toBe('/console/?sign_in=failed');
  expect((await open(`/oidc/callback?${changed}`, cookies)).location).toBe('/console/?sign_in=failed');
  expect((await open(path, cookies)).location).toBe('/console/');
  expect((await open(path, cookies)).location).toBe('/console/?sign_in=failed');
  const logged = failures.slice(before);
  expect(logged).toHaveLength(3);
  expect(logged.join('\n')).not.toContain(back.searchParams.get('code'));
  expect(logged.join('\n')).not.toContain(provider.client.clientSecret);
});

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const { privateKey: strangersKey } = await generateKeyPair('RS256');

it.each<readonly [string, OidcServer['forge']]>([
  ['without a signature', (idToken) => `${encode({ alg: 'none' })}.${idToken.split('..')[1]}.`],
  [
    'signed with another key',
    (idToken) => new SignJWT(decodeJwt(idToken)).setProtectedHeader({ alg: 'RS256' }).sign(strangersKey),
  ],
  [
    'signed with the client secret',
    (idToken) =>
      new SignJWT(decodeJwt(idToken))
        .setProtectedHeader({ alg: 'HS256' })
        .sign(Buffer.from(provider.client.clientSecret)),
  ],
  [
    'whose claims were changed after it was signed',
    (idToken) => {
      const [header, , signature] = idToken.split('..');
      return [header, encode({ ...decodeJwt(idToken), email: 'root@example.com' }), signature].join('..');
    },
  ],
])('refuses an ID token %s', async (_, forge) => {
  const { cookies, path } = await visit('grace@example.com');
  provider.forge = forge;
  const { location, cookies: set } = await open(path, cookies);
  expect(location).toBe('/console/?sign_in=failed');
  expect(set.join()).not.toContain('natter-desk=');
});

it('reports an unreachable or missing provider, and limits visits', async () => {
  const gone = { issuer: 'http://127.0.0.1:9', clientId: 'x', clientSecret: 'y', redirectUri: REDIRECT_URI };
  fixture.oidc = createOidcSignIn({ ...gone, name: 'Gone' });
  expect((await open('/oidc/start')).location).toBe('/console/?sign_in=failed');
  fixture.oidc = null;
  expect((await open('/oidc/start')).status).toBe(404);
  fixture.oidc = createOidcSignIn({ ...gone, name: 'Gone' });
  fixture.platform.clock.skip(60_000);
  let opened = 0;
  while (opened < 70 && (await open('/oidc/start')).status === 302) opened += 1;
  expect(opened).toBe(60);
});

it.each([
  [{ issuer: 'http://login.example.com' }, 'https'],
  [{ redirectUri: 'https://chat.example.com/elsewhere' }, '/desk/api/oidc/callback'],
  [{ clientSecret: '' }, 'must not be empty'],
])('has settings that are checked: %o', (wrong, message) => {
  const right = {
    issuer: 'https://login.example.com',
    clientId: 'a',
    clientSecret: 'b',
    redirectUri: REDIRECT_URI,
  };
  expect(v.safeParse(oidcSchema, right).success).toBe(true);
  expect(v.safeParse(oidcSchema, { ...right, ...wrong }).issues?.[0].message).toContain(message);
});
