import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Platform, startPlatform } from '../../app/start-platform.ts';
import { createLogger } from '../logger.ts';

const TOKEN = 'a-metrics-token-of-tests';

describe('the metrics page with a token', () => {
  let platform: Platform;
  beforeAll(async () => {
    platform = await startPlatform({
      dataDir: 'memory',
      port: 0,
      metrics: { port: 0, token: TOKEN },
      logger: createLogger('silent'),
    });
  });
  afterAll(() => platform.close());

  const ask = (url: string, authorization?: string): Promise<Response> =>
    fetch(url, authorization === undefined ? {} : { headers: { Authorization: authorization } });

  it.each([
    ['on the main port', () => `${platform.url}/metrics`],
    ['on its own port', () => platform.metricsUrl ?? ''],
  ])('opens the metrics page with %s to its token and nothing else', async (_, url) => {
    const page = await ask(url(), `Bearer ${TOKEN}`);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('natter_');
    for (const wrong of [undefined, 'Bearer ', `Bearer ${TOKEN}x`, `Basic ${TOKEN}`, TOKEN]) {
      const refused = await ask(url(), wrong);
      expect(refused.status).toBe(401);
      expect(refused.headers.get('WWW-Authenticate')).toContain('Bearer');
      expect(await refused.text()).not.toContain('natter_');
    }
  });

  it.each([
    ['on the main port', () => `${platform.url}/metrics`],
    ['on its own port', () => platform.metricsUrl ?? ''],
  ])('answers 429 %s for a guessed metrics token, and still accepts the right one', async (port, url) => {
    const guesses = Array.from({ length: 101 }, (_, n) => `${n}-guessed ${port}`);
    const statuses: number[] = [];
    for (const guess of guesses) statuses.push((await ask(url(), `Bearer ${guess}`)).status);
    // The guesses of the previous test count as well.
    expect(statuses.lastIndexOf(401)).toBeLessThan(100);
    const refused = await ask(url(), 'Bearer another-guess');
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThanOrEqual(1);
    // A missing token is not a guess.
    expect((await ask(url())).status).toBe(401);
    expect((await ask(url(), `Bearer ${TOKEN}`)).status).toBe(200);
  });
});
