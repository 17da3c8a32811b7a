import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EMBEDDED_ENGINE } from '../../../test/db/engines.ts';
import {
  isEndOfMessage,
  startTestPlatform,
  type TestPlatform,
  type TestSession,
} from '../../../test/realtime/test-platform.ts';

const SECRET = '9f1c0b7e4d2a58636b7f9e0d1c2b3a4958677685940312fedcba98765432100f';
const UNKNOWN = '8f14e45f-ceea-467f-a0e6-1b8a5c3d2e10';

function sign(contextId: string, ctx: unknown, nowMs: number): string {
  const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const iat = Math.floor(nowMs / 1000);
  const signed = `${encode({ alg: 'HS256', kid: 'key-1' })}.${encode({ sub: contextId, iat, exp: iat + 30, ctx })}`;
  return `${signed}.${createHmac('sha256', SECRET).update(signed).digest('base64url')}`;
}

/** Returns the id with the letters after its first `count` characters in upper case. */
function capitalize(id: string, count: number): string {
  let seen = 0;
  return id.replace(/[a-f]/g, (letter) => {
    seen += 1;
    return seen > count ? letter.toUpperCase() : letter;
  });
}

describe('verified context', () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await startTestPlatform(EMBEDDED_ENGINE, {
      contextKeys: new Map([['key-1', SECRET]]),
      limits: { contextSubmissionsPerMinute: 5 },
    });
  });
  afterAll(() => platform.stop());

  const submit = (session: Partial<TestSession>, body: string, id = session.sessionId) =>
    platform.post(
      `/api/v1/sessions/${id}/context`,
      session.accessToken === undefined ? {} : { Authorization: `Bearer ${session.accessToken}` },
      body,
    );
  const contextIdOf = async ({ sessionId }: TestSession): Promise<string> => {
    const [start] = await platform.log.readAfter(sessionId, 0, 1);
    return String(start?.payload['context_id']);
  };

  it('puts an unguessable context id into SESSION_START', async () => {
    const ids = await Promise.all([1, 2].map(async () => contextIdOf(await platform.startSession())));
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) expect(id).toMatch(/^ctx_[\w-]{22,}$/);
  });

  it('passes verified context to the next turn only, replaced completely', async () => {
    const { socket, ...session } = await platform.converse();
    const contextId = await contextIdOf(session);
    for (const ctx of [{ tier: 'gold', vip: true }, { age: 41 }, {}]) {
      const answer = await submit(
        session,
        JSON.stringify({ token: sign(contextId, ctx, platform.clock.now()) }),
      );
      expect(answer.status).toBe(204);
      socket.send('USER_MESSAGE', { text: 'hi' });
      await socket.next(isEndOfMessage);
      expect(platform.agent.turns.at(-1)?.contextVault).toEqual(ctx);
    }
    const log = JSON.stringify(await platform.log.readAfter(session.sessionId, 0, 100));
    expect(log).not.toContain('gold');
    await socket.close();
  });

  it('accepts verified context under an upper-case session id, within the same limit', async () => {
    const { socket, ...session } = await platform.converse();
    const token = sign(await contextIdOf(session), { tier: 'silver' }, platform.clock.now());
    const id = session.sessionId;
    // A UUID has hundreds of spellings; each must share the same limit.
    const spellings = [id.toUpperCase(), ...Array.from({ length: 4 }, (_, n) => capitalize(id, n)), id];
    const statuses: number[] = [];
    for (const spelling of spellings)
      statuses.push((await submit(session, JSON.stringify({ token }), spelling)).status);
    expect(statuses).toEqual([204, 204, 204, 204, 204, 429]);
    socket.send('USER_MESSAGE', { text: 'hi' });
    await socket.next(isEndOfMessage);
    expect(platform.agent.turns.at(-1)?.contextVault).toEqual({ tier: 'silver' });
    await socket.close();
  });

  it('refuses verified context in the order of its table', async () => {
    const session = await platform.startSession();
    const other = await platform.startSession();
    const contextId = await contextIdOf(session);
    const token = sign(contextId, { a: 1 }, platform.clock.now());
    const body = JSON.stringify({ token });
    const refusals = [
      [await submit({}, '[', session.sessionId), 400, 'MISSING_ACCESS_TOKEN'],
      [await submit({ accessToken: 'x.y.z' }, '[', session.sessionId), 401, 'INVALID_ACCESS_TOKEN'],
      [await submit({ ...session, accessToken: other.accessToken }, '['), 401, 'INVALID_ACCESS_TOKEN'],
      [await submit(session, '[', UNKNOWN), 400, 'INVALID_REQUEST_BODY'],
      [await submit(session, '{"token":""}', UNKNOWN), 400, 'INVALID_REQUEST_BODY'],
      [await submit(session, '{"token":1}', UNKNOWN), 400, 'INVALID_REQUEST_BODY'],
      [await submit(session, body, UNKNOWN), 404, 'SESSION_NOT_FOUND'],
      [await submit(session, JSON.stringify({ token: 'x'.repeat(16_385) })), 413, 'CONTEXT_TOKEN_TOO_LARGE'],
      [await submit(session, JSON.stringify({ token: `${token}x` })), 401, 'INVALID_CONTEXT_TOKEN'],
      [
        await submit(session, JSON.stringify({ token: sign('ctx_other', {}, platform.clock.now()) })),
        401,
        'INVALID_CONTEXT_TOKEN',
      ],
    ] as const;
    for (const [answer, status, code] of refusals) {
      expect([answer.status, answer.body['error_code']]).toEqual([status, code]);
    }
    await submit(session, body);
    await submit(session, body);
    const limited = await submit(session, body);
    expect([limited.status, limited.body['error_code']]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  });
});

describe('a project without signing keys', () => {
  it('accepts no verified context in a project without signing keys', async () => {
    const platform = await startTestPlatform(EMBEDDED_ENGINE);
    try {
      const { sessionId, accessToken } = await platform.startSession();
      const headers = { Authorization: `Bearer ${accessToken}` };
      const answer = await platform.post(`/api/v1/sessions/${sessionId}/context`, headers, '{"token":"x"}');
      expect([answer.status, answer.body['message']]).toEqual([404, 'Verified context not enabled']);
    } finally {
      await platform.stop();
    }
  });
});
