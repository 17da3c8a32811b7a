import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createProxyFixture, makePost, type ProxyFixture } from '../../test/proxy-fixture.ts';
import { createTokenProxy } from '../create-token-proxy.ts';
import type { Limiter } from './request-limits.ts';

let fixture: ProxyFixture;
beforeEach(async () => {
  fixture = await createProxyFixture({
    limits: { sessionsPerClient: 2, resumesPerClient: 3, sessionsTotal: 4, resumesTotal: 0 },
  });
});
afterEach(() => fixture.upstream.close());

const start = async (clientAddress?: string, headers: Record<string, string> = {}): Promise<number> => {
  const response = await fixture.post(
    '/v1/session',
    {},
    headers,
    clientAddress === undefined ? {} : { clientAddress },
  );
  return response.status;
};

describe('request limits', () => {
  it('refuses a client above its own limit, with the time to retry', async () => {
    expect([await start('203.0.113.1'), await start('203.0.113.1')]).toEqual([200, 200]);
    const response = await fixture.post('/v1/session', {}, {}, { clientAddress: '203.0.113.1' });
    expect(response.status).toBe(429);
    const seconds = Number(response.headers.get('retry-after'));
    expect(seconds).toBeGreaterThanOrEqual(1);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(await response.json()).toMatchObject({
      code: 'RATE_LIMITED',
      retryable: true,
      retry_after_seconds: seconds,
    });
    expect(await start('203.0.113.2')).toBe(200);
    expect(fixture.upstream.seen).toHaveLength(6);
  });

  it('counts a whole IPv6 /64 as one client', async () => {
    expect([await start('2001:db8::1'), await start('2001:db8::2'), await start('2001:db8::3')]).toEqual([
      200, 200, 429,
    ]);
    expect(await start('2001:db8:0:1::1')).toBe(200);
  });

  it('refuses all clients above the total limit, without letting one client use it up', async () => {
    for (let request = 0; request < 6; request += 1) await start('203.0.113.1');
    expect([await start('203.0.113.2'), await start('203.0.113.3'), await start('203.0.113.4')]).toEqual([
      200, 200, 429,
    ]);
  });

  it('counts resumes separately from sessions', async () => {
    const statuses: number[] = [];
    for (let request = 0; request < 4; request += 1) {
      const response = await fixture.post(
        '/v1/resume',
        { resume_ticket: 'x' },
        {},
        { clientAddress: '203.0.113.1' },
      );
      statuses.push(response.status);
    }
    expect(statuses).toEqual([410, 410, 410, 429]);
    expect(await start('203.0.113.1')).toBe(200);
  });

  it('request limits cannot be escaped by inventing X-Forwarded-For', async () => {
    const statuses = [];
    for (const invented of ['1.1.1.1', '2.2.2.2', '3.3.3.3']) {
      statuses.push(await start('203.0.113.1', { 'X-Forwarded-For': invented }));
    }
    expect(statuses).toEqual([200, 200, 429]);
  });

  it('reads X-Forwarded-For behind a trusted proxy', async () => {
    const proxy = createTokenProxy({ ...fixture.options, trustedProxyHops: 1 });
    const statuses = [];
    for (const forwarded of ['9.9.9.9, 203.0.113.1', '8.8.8.8, 203.0.113.1', '203.0.113.1', '203.0.113.2']) {
      const request = makePost('/v1/session', {}, { 'X-Forwarded-For': forwarded });
      statuses.push((await proxy(request, { clientAddress: '10.0.0.1' })).status);
    }
    expect(statuses).toEqual([200, 200, 429, 200]);
  });

  it('counts callers of unknown address as one client, and warns about it once', async () => {
    expect([await start(), await start(), await start()]).toEqual([200, 200, 429]);
    expect(fixture.logLines.filter((line) => line.message.includes('client addresses unknown'))).toHaveLength(
      1,
    );
  });

  it('uses the given shared counters, and memory while those fail', async () => {
    const keys: string[] = [];
    const shared = (take: Limiter['take']): Limiter => ({ take });
    const full = createTokenProxy({
      ...fixture.options,
      createLimiter: ({ name }) =>
        shared(async (key) => {
          keys.push(`${name} ${key}`);
          return name === 'sessionsTotal' ? 7_001 : 0;
        }),
    });
    const response = await full(makePost('/v1/session', {}), { clientAddress: '203.0.113.1' });
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '8']);
    expect(keys).toEqual(['sessionsPerClient 203.0.113.1', 'sessionsTotal all']);

    const broken = createTokenProxy({
      ...fixture.options,
      createLimiter: () => shared(() => Promise.reject(new Error('store is down'))),
    });
    const statuses = [];
    for (let request = 0; request < 3; request += 1) {
      statuses.push((await broken(makePost('/v1/session', {}), { clientAddress: '203.0.113.1' })).status);
    }
    expect(statuses).toEqual([200, 200, 429]);
    expect(fixture.logLines.some((line) => line.message.startsWith('rate limiter failed'))).toBe(true);
  });
});
