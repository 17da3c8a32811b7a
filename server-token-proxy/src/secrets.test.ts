import { expect, it } from 'vitest';
import { type Behaviour, makeAccessToken, SESSION_PATH, TOKEN_PATH } from '../test/fake-upstream.ts';
import {
  CONNECTOR_TOKEN,
  createProxyFixture,
  makePost,
  PAGE_HEADERS,
  PAGE_ORIGIN,
  SESSION_ID,
} from '../test/proxy-fixture.ts';
import { createTokenProxy } from './create-token-proxy.ts';

const COOKIE = 'sid=cookie-of-the-visitor';
const LOGIN = 'login-token-of-the-visitor';
const CLIENT_ADDRESS = '203.0.113.77';

it('shows no secret in any log line or refusal, whatever goes wrong', async () => {
  const fixture = await createProxyFixture({ attemptTimeoutMs: 500, deadlineMs: 20_000 });
  const { upstream, options, accessToken, ticketKey } = fixture;
  const refusals: string[] = [];
  const tickets: string[] = [];
  const headers = { Cookie: COOKIE, Authorization: `Bearer ${LOGIN}`, 'X-Forwarded-For': CLIENT_ADDRESS };

  const send = async (proxy: typeof fixture.proxy, request: Request): Promise<void> => {
    const response = await proxy(request, { clientAddress: CLIENT_ADDRESS });
    const text = await response.text();
    if (response.status !== 200) refusals.push(`${text}\n${JSON.stringify([...response.headers])}`);
    const ticket: unknown = response.status === 200 ? JSON.parse(text).resume_ticket : undefined;
    if (typeof ticket === 'string') tickets.push(ticket);
  };

  const echo: Behaviour = {
    status: 401,
    body: { message: `token ${CONNECTOR_TOKEN} is unknown`, error_id: accessToken },
  };
  const scripts: readonly (readonly [string, readonly Behaviour[]])[] = [
    [TOKEN_PATH, [echo]],
    [TOKEN_PATH, [{ status: 500, body: { message: `cannot sign ${CONNECTOR_TOKEN}` } }]],
    [TOKEN_PATH, [{ status: 200, raw: `not json ${accessToken}` }]],
    [TOKEN_PATH, ['reset']],
    [TOKEN_PATH, ['hang']],
    [TOKEN_PATH, [{ status: 302, headers: { Location: `/?t=${CONNECTOR_TOKEN}` }, body: {} }]],
    [TOKEN_PATH, [{ status: 200, body: { access_token: accessToken } }]],
    [SESSION_PATH, [{ status: 401, body: { message: `bad ${accessToken}` } }]],
    [SESSION_PATH, [{ status: 200, body: { session_id: '' } }]],
    [SESSION_PATH, [{ status: 200, body: { session_id: SESSION_ID } }]],
  ];
  for (const [path, behaviours] of scripts) {
    upstream.script(path, behaviours);
    await send(fixture.proxy, makePost(`/v1/session?access_token=${accessToken}`, {}, headers));
  }
  const [ticket = ''] = tickets;
  expect(ticket).not.toBe('');
  await send(fixture.proxy, makePost('/v1/resume', { resume_ticket: ticket }, headers));
  await send(fixture.proxy, makePost('/v1/resume', { resume_ticket: `${ticket.slice(0, -4)}AAAA` }, headers));
  await send(fixture.proxy, makePost('/v1/resume', `{"resume_ticket":"${ticket}"`, headers));
  await send(fixture.proxy, makePost('/v1/resume', { resume_ticket: [ticket] }, headers));
  await send(fixture.proxy, makePost('/v1/session', { platform: accessToken }, headers));
  await send(fixture.proxy, makePost(`/${ticket}`, {}, headers));
  await send(fixture.proxy, makePost('/v1/session', {}, { ...headers, Origin: 'https://evil.test' }));
  await send(
    fixture.proxy,
    new Request(`https://chat.example/v1/session?x=${ticket}`, { headers: PAGE_HEADERS }),
  );
  const throwing = createTokenProxy({
    ...options,
    authorize: (request) => {
      const cookie = request.headers.get('cookie') ?? '';
      throw new Error(`${CONNECTOR_TOKEN} ${accessToken} ${ticket} ${request.url} ${ticketKey}`, {
        cause: cookie,
      });
    },
  });
  await send(throwing, makePost(`/v1/session?access_token=${accessToken}`, {}, headers));
  const broken = createTokenProxy({
    ...options,
    fetch: () => Promise.reject(new Error(`${CONNECTOR_TOKEN} ${accessToken}`)),
  });
  await send(broken, makePost('/v1/session', {}, headers));
  const limited = createTokenProxy({ ...options, limits: { sessionsPerClient: 1 } });
  for (let request = 0; request < 2; request += 1) await send(limited, makePost('/v1/session', {}, headers));
  await upstream.close();

  const written = [...refusals, ...fixture.logLines.map((line) => JSON.stringify(line))];
  expect(refusals.length).toBeGreaterThanOrEqual(17);
  expect(fixture.logLines.length).toBeGreaterThanOrEqual(20);
  const payload = accessToken.split('.')[1] ?? '';
  const secrets = [
    CONNECTOR_TOKEN,
    accessToken,
    payload,
    ...tickets,
    ticketKey,
    'cookie-of-the-visitor',
    LOGIN,
  ];
  const places = [upstream.url, '?access_token', '?x=', CLIENT_ADDRESS, SESSION_ID];
  for (const text of written) {
    for (const secret of [...secrets, ...places]) expect(text).not.toContain(secret);
  }
  expect(written.some((text) => text.includes(PAGE_ORIGIN))).toBe(true);
  expect(makeAccessToken({}).startsWith('eyJ')).toBe(true);
  for (const text of written) expect(text).not.toMatch(/eyJ[\w-]{10}/);
});
