import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../server-platform/src/app/config/index.ts';
import { type Platform, startPlatform } from '../../server-platform/src/app/start-platform.ts';
import { createLogger } from '../../server-platform/src/kit/logger.ts';

const fileOf = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const read = (path: string): string => readFileSync(fileOf(path), 'utf8');

interface Documented {
  readonly type: string;
  readonly labels: readonly string[];
  readonly help: string;
}

/** The table of `docs/metrics.md`, by metric. */
const DOCUMENTED: ReadonlyMap<string, Documented> = new Map(
  [...read('docs/metrics.md').matchAll(/^\| `(\w+)` \| (\w+) \| (.*?) \| (.+) \|$/gm)].map(
    ([, name = '', type = '', labels = '', help = '']) => [
      name,
      { type, labels: [...labels.matchAll(/`(\w+)`/g)].map(([, label = '']) => label), help },
    ],
  ),
);

describe('the metrics of a platform', () => {
  const lines: string[] = [];
  let platform: Platform;
  let page = '';
  beforeAll(async () => {
    const config = await loadConfig({}, { NATTER_METRICS_PORT: '0', NATTER_ACCESS_LOG: 'true' });
    const logger = createLogger('info', { write: (line) => void lines.push(line) });
    platform = await startPlatform({ config, dataDir: 'memory', port: 0, logger });
    for (const path of ['/livez', '/api/v1/sessions', '/v3/a/b/conversations', '/a/secret?token=a-secret'])
      await (await fetch(platform.url + path, { headers: { 'X-Correlation-Id': 'asked-by-a-test' } })).text();
    page = await (await fetch(platform.metricsUrl ?? '')).text();
  });
  afterAll(() => platform.close());

  it('docs/metrics.md lists all metrics of the platform, with types, labels and help', () => {
    const types = new Map(
      [...page.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', type]) => [name, type]),
    );
    const helps = [...page.matchAll(/^# HELP (\w+) (.+)$/gm)].map(([, name = '', help]) => [
      name,
      types.get(name),
      help,
    ]);
    expect(helps.length).toBeGreaterThan(20);
    expect(Object.fromEntries(helps.map(([name, type, help]) => [name, { type, help }]))).toEqual(
      Object.fromEntries([...DOCUMENTED].map(([name, { type, help }]) => [name, { type, help }])),
    );
    const strangers = [...page.matchAll(/^(\w+?)(?:_bucket|_sum|_count)?\{(.+)\}/gm)].flatMap(
      ([, name = '', labels = '']) =>
        [...labels.matchAll(/(\w+)="/g)]
          .map(([, label = '']) => label)
          .filter((label) => label !== 'le' && DOCUMENTED.get(name)?.labels.includes(label) !== true)
          .map((label) => `${name} ${label}`),
    );
    expect(strangers).toEqual([]);
  });

  it('the platform counts requests by group of routes, and names no path, id or address in metrics', () => {
    expect(page).toMatch(/natter_http_request_seconds_count\{family="probes",method="GET",status="200"\} 1/);
    expect(page).toMatch(
      /natter_http_request_seconds_count\{family="sessions",method="GET",status="405"\} 1/,
    );
    expect(page).toMatch(
      /natter_http_request_seconds_count\{family="conversations",method="GET",status="401"\} 1/,
    );
    expect(page).toMatch(/natter_http_request_seconds_count\{family="other",method="GET",status="404"\} 1/);
    expect(page).not.toContain('secret');
  });

  it('the platform logs requests by route, without their content', async () => {
    const requests = () => lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request');
    await expect.poll(() => requests().length).toBeGreaterThanOrEqual(4);
    expect(requests()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          ...{ method: 'GET', route: '/livez', status: 200, requestId: 'asked-by-a-test' },
          ...{ ms: expect.any(Number), bytes: expect.any(Number) },
        }),
        expect.objectContaining({ route: '/v3/:account_id/:project_id/conversations', status: 401 }),
        expect.objectContaining({ route: 'unmatched', status: 404 }),
      ]),
    );
    expect(requests().every(({ bytes }) => bytes > 50)).toBe(true);
    expect(lines.join('')).not.toContain('secret');
  });

  it.each(['deploy/alerts.yml', 'deploy/grafana.json'])(
    'a platform has all metrics that %s asks for',
    (path) => {
      const named = [...read(path).matchAll(/\b(?:natter|process|nodejs)_\w+/g)].map(([name]) => name);
      expect(named.length).toBeGreaterThan(5);
      const known = (name: string): boolean =>
        DOCUMENTED.has(name) ||
        DOCUMENTED.get(name.replace(/_(bucket|sum|count)$/, ''))?.type === 'histogram';
      expect(named.filter((name) => !known(name))).toEqual([]);
    },
  );

  it('Prometheus reads the alert rules, if it is installed', () => {
    const { error, status, stderr } = spawnSync('promtool', ['check', 'rules', fileOf('deploy/alerts.yml')], {
      encoding: 'utf8',
    });
    if (error === undefined) expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });
});
