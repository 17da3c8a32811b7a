import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLogger } from '../logger.ts';
import { type Platform, startPlatform } from '../start-platform.ts';

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
  ])('opens %s to that token and to nothing else', async (_, url) => {
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
});
