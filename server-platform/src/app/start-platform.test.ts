import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isEndOfMessage } from '../../test/realtime/test-platform.ts';
import { openTestSocket } from '../../test/realtime/test-socket.ts';
import { createLogger } from '../kit/logger.ts';
import { type Platform, startPlatform } from './start-platform.ts';

describe('a platform that is started without any configuration', () => {
  let platform: Platform;
  let folder: string;
  const lines: string[] = [];
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'natter-platform-'));
    const destination = new Writable({
      write(chunk, _encoding, done) {
        lines.push(String(chunk));
        done();
      },
    });
    platform = await startPlatform({
      dataDir: folder,
      port: 0,
      metrics: { port: 0 },
      logger: createLogger('debug', destination),
    });
  });
  afterAll(async () => {
    await platform.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('describes the events of a custom desk in /openapi.json, with an example for each', async () => {
    const document = await (await fetch(`${platform.url}/openapi.json`)).json();
    const { post } = document.paths['/v1/{account_id}/{project_id}/handoffs/{handoff_id}/events'];
    const { schema, example } = post.requestBody.content['application/json'];
    const types = schema.oneOf.map(
      (one: { properties: { type: { const: string } } }) => one.properties.type.const,
    );
    expect(types).toEqual(['accepted', 'queue', 'joined', 'typing', 'message', 'left', 'failed']);
    expect(types).toContain(example.type);
    expect(post.parameters.map(({ name }: { name: string }) => name)).toEqual([
      ...['account_id', 'project_id', 'handoff_id'],
    ]);
    expect(Object.keys(post.responses)).toEqual(expect.arrayContaining(['200', '404', '415', '429']));
  });

  it('serves a page on localhost with the demo agent without any configuration', async () => {
    const { token, host } = platform.developmentConnector ?? { token: '', host: '' };
    const post = async (path: string, headers: Record<string, string>): Promise<Record<string, unknown>> =>
      (await fetch(`${platform.url}/api/v1${path}`, { method: 'POST', headers, body: '{}' })).json();
    const minted = await post('/access-token', {
      'X-Token': token,
      'X-Host': host,
      Origin: 'http://localhost:3000',
    });
    const accessToken = String(minted['access_token']);
    const { session_id: sessionId } = await post('/sessions', { Authorization: `Bearer ${accessToken}` });
    const socket = await openTestSocket(
      `${platform.url.replace('http', 'ws')}/ws?session_id=${sessionId}&access_token=${accessToken}&cursor=nonsense`,
    );
    socket.send('REQUEST_AGENT_JOIN');
    const greeting = await socket.next(isEndOfMessage);
    expect(greeting.payload['agent_name']).toBe('Ada');
    socket.send('USER_MESSAGE', { text: 'a question that must stay private' });
    expect(String((await socket.next(isEndOfMessage)).payload['text'])).not.toBe('');
    expect(await platform.expireSessions()).toBe(1);
    expect((await socket.next('SESSION_END')).payload).toEqual({ reason: 'REASON_USER_ABANDONED' });

    const log = lines.join('');
    expect(log).toContain('cursor');
    const logged = lines
      .map((line) => JSON.parse(line))
      .filter((line) => line.sessionId === sessionId && line.component === 'messaging')
      .map(({ msg, types, turn, result }) =>
        [msg, turn, result, types?.join(' ')].filter(Boolean).join(': '),
      );
    // In the order of a conversation; other lines may be in between.
    const life = [
      'a socket opened',
      'this node writes the session',
      'events are stored: EVENT_TYPE_REQUEST_AGENT_JOIN',
      'a conversation began',
      'a turn began: greeting',
      'a turn ended: greeting: answered',
      'events are stored: EVENT_TYPE_USER_MESSAGE',
      'a turn began: message',
      'a turn ended: message: answered',
      'events are stored: EVENT_TYPE_SESSION_END',
      'a session ended',
    ];
    expect(logged.filter((line) => life.includes(line))).toEqual(life);
    for (const secret of [token, accessToken, 'access_token=', 'stay private'])
      expect(log).not.toContain(secret);
  });

  it('reports liveness and readiness, and metrics on their own port only', async () => {
    for (const path of ['/livez', '/healthz'])
      expect((await fetch(`${platform.url}${path}`)).status).toBe(200);
    expect(await (await fetch(`${platform.url}/readyz`)).json()).toEqual({ status: 'ready' });
    // A reverse proxy on the same machine connects from loopback, with or without the header.
    for (const headers of [{}, { 'X-Forwarded-For': '203.0.113.9' }])
      expect((await fetch(`${platform.url}/metrics`, { headers })).status).toBe(404);
    const page = await (await fetch(platform.metricsUrl ?? '')).text();
    expect(page).toContain('natter_sessions_ended_total{reason="REASON_USER_ABANDONED"} 1');
    const others = await Promise.all(
      ['/healthz', '/api/v1/sessions', '/'].map((path) => fetch(new URL(path, platform.metricsUrl ?? ''))),
    );
    expect(others.map(({ status }) => status)).toEqual([404, 404, 404]);
  });

  it('keeps its token secret in its folder, readable by its owner only', async () => {
    expect((await stat(join(folder, 'token-secret'))).mode & 0o777).toBe(0o600);
  });
});

describe('the logger', () => {
  it('removes secrets from the fields of a log line', () => {
    const lines: string[] = [];
    const logger = createLogger(
      'info',
      new Writable({
        write(chunk, _encoding, done) {
          lines.push(String(chunk));
          done();
        },
      }),
    );
    logger.info(
      {
        token: 'one',
        headers: { authorization: 'two' },
        event: { payload: 'three', text: 'four' },
        url: 'five',
      },
      'x',
    );
    const line = lines.join('');
    for (const secret of ['one', 'two', 'three', 'four', 'five']) expect(line).not.toContain(`"${secret}"`);
  });
});
