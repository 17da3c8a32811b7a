import { afterEach, describe, expect, it } from 'vitest';
import { EMBEDDED_ENGINE } from '../../../test/db/engines.ts';
import {
  startTestPlatform,
  type TestPlatform,
  type TestPlatformOptions,
} from '../../../test/realtime/test-platform.ts';

let platform: TestPlatform;
afterEach(() => platform.stop());
const start = async (options: TestPlatformOptions = {}): Promise<void> => {
  platform = await startTestPlatform(EMBEDDED_ENGINE, options);
};
const ELSEWHERE = 'https://elsewhere.example';

describe('a host that the connector does not have', () => {
  it('reports an unknown host to the operator when its page opens a socket, but not to the page', async () => {
    await start();
    const session = await platform.startSession();
    const { pathname, search } = new URL(platform.socketUrl(session));
    const ask = () => platform.handshake(pathname + search, { Origin: ELSEWHERE });
    const answer = await ask();
    expect([answer.status, answer.body['message']]).toEqual([401, 'authentication failed']);
    expect(JSON.stringify(answer.body)).not.toContain('example');
    await ask();
    const { value: registered = '' } = platform.connector.hosts[0] ?? {};
    expect(platform.findings).toEqual([
      {
        connectorId: platform.connector.id,
        header: 'Origin',
        value: ELSEWHERE,
        hosts: expect.stringContaining(registered),
        setting: 'hosts of the connector',
        message: expect.stringContaining(
          `refused sockets from a host that the connector lacks: ${ELSEWHERE}`,
        ),
      },
    ]);
    // Reported at most once a minute.
    platform.clock.skip(60_000);
    await ask();
    expect(platform.findings).toHaveLength(2);
    expect(JSON.stringify(platform.findings)).not.toContain(session.accessToken);
  });

  it('reports an unknown host that a token proxy uses to request a token', async () => {
    await start();
    const headers = { 'X-Token': 'connector-token', 'X-Host': 'elsewhere.example' };
    expect((await platform.post('/api/v1/access-token', headers)).status).toBe(401);
    expect(platform.findings).toMatchObject([
      { header: 'X-Host', value: 'elsewhere.example', setting: 'hosts of the connector' },
    ]);
  });

  it('reports no host for a request without a valid token', async () => {
    await start();
    await platform.handshake('/ws?session_id=x&access_token=a.b.c', { Origin: ELSEWHERE });
    expect(platform.findings).toEqual([]);
  });
});

describe('sockets that go somewhere else', () => {
  it('reports missing sockets 20 s after the first session, with the host name used for the sessions', async () => {
    await start();
    await platform.startSession();
    platform.clock.skip(19_000);
    await platform.startSession();
    expect(platform.findings).toEqual([]);
    platform.clock.skip(1_000);
    const { host } = new URL(platform.url);
    expect(platform.findings).toEqual([
      {
        connectorId: platform.connector.id,
        host,
        setting: 'NATTER_WEBSOCKET_URL of the token proxy',
        message: expect.stringContaining(`no socket has arrived for the sessions created at ${host}`),
      },
    ]);
    await platform.startSession();
    platform.clock.skip(600_000);
    expect(platform.findings).toHaveLength(1);
  });

  it('reports no missing sockets once a handshake has arrived, even a refused one', async () => {
    await start();
    const session = await platform.startSession();
    const { pathname, search } = new URL(platform.socketUrl(session));
    await platform.handshake(pathname + search.replace(session.sessionId, 'unknown'));
    platform.clock.skip(600_000);
    expect(platform.findings).toEqual([]);
  });
});

describe('an agent that the platform does not have', () => {
  it('reports a missing agent to the operator, to the token proxy and to the client that requests it', async () => {
    await start({ hasNoAgent: true, connector: { agent: 'nobody' } });
    const token = await platform.mintToken();
    const { body } = await platform.post('/api/v1/sessions', { Authorization: `Bearer ${token}` });
    expect(body).toEqual({ session_id: expect.any(String), missing_agent: 'nobody' });
    expect(platform.findings).toMatchObject([
      { connectorId: platform.connector.id, agent: 'nobody', setting: 'agent of the project' },
    ]);
    const socket = await platform.connect({ sessionId: String(body['session_id']), accessToken: token });
    socket.send('REQUEST_AGENT_JOIN');
    const { payload } = await socket.next('SYSTEM_MESSAGE');
    expect(payload).toEqual({
      level: 'SYSTEM_MESSAGE_LEVEL_ERROR',
      message: "Sorry, I'm unable to start a conversation right now. Please try again later.",
      missing_agent: 'nobody',
    });
    expect(platform.failures.join()).toContain(`The project's agent "nobody" is not in the configuration`);
  });

  it('reports nothing when the agent exists', async () => {
    await start();
    const token = await platform.mintToken();
    const { body } = await platform.post('/api/v1/sessions', { Authorization: `Bearer ${token}` });
    expect(Object.keys(body)).toEqual(['session_id']);
  });
});
