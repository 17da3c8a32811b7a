import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { REACHABLE_POSTGRES_URL } from '../../../test/db/postgres-server.ts';
import { type PlatformRun, runPlatform } from '../../../test/run-platform.ts';
import { openDatabase } from '../../db/index.ts';

/** A connector token or an API key. */
const CREDENTIAL = /n(ct|ak)_[\w-]{20,}/;
const runs: PlatformRun[] = [];
const serve = (args: readonly string[], environment: Readonly<Record<string, string>> = {}): PlatformRun => {
  const run = runPlatform(['serve', '--port', '0', ...args], environment);
  runs.push(run);
  return run;
};
afterEach(async () => {
  for (const run of runs.splice(0)) await run.stop();
});

describe('a first start on the embedded database', () => {
  const folder = mkdtempSync(join(tmpdir(), 'natter-first-start-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('reports a new data folder, then creates an account and prints its keys, once', async () => {
    const data = join(folder, 'fresh');
    const first = serve(['--data', data]);
    await first.serving;
    const announced = first.out().indexOf('development account');
    expect(announced).toBeGreaterThan(-1);
    expect(first.out().search(CREDENTIAL)).toBeGreaterThan(announced);
    expect(first.out().match(/nak_/g)).toHaveLength(6);
    await first.stop();

    const second = serve(['--data', data]);
    await second.serving;
    expect(second.out()).not.toMatch(CREDENTIAL);
  });

  it('adds no trial account to a folder with a database, unless started with --dev', async () => {
    const data = join(folder, 'used');
    expect(await runPlatform(['account', 'list', '--data', data]).ended).toBe(0);
    const plain = serve(['--data', data]);
    await plain.serving;
    expect(plain.out()).not.toMatch(CREDENTIAL);
    expect(plain.out()).toContain('No account yet');
    await plain.stop();

    const development = serve(['--data', data, '--dev']);
    await development.serving;
    expect(development.out()).toMatch(CREDENTIAL);
  });
});

describe.skipIf(REACHABLE_POSTGRES_URL === undefined)('a first start on PostgreSQL', () => {
  const schema = `natter_first_start_${randomUUID().replaceAll('-', '')}`;
  const url = new URL(REACHABLE_POSTGRES_URL ?? 'postgres://127.0.0.1');
  url.searchParams.set('options', `-c search_path=${schema}`);
  const folder = mkdtempSync(join(tmpdir(), 'natter-first-start-'));
  const environment = { DATABASE_URL: url.href, NATTER_DATA_DIR: folder };
  const run = async (statement: string): Promise<readonly object[]> => {
    const database = await openDatabase({ databaseUrl: url.href });
    try {
      return await database.query(statement);
    } finally {
      await database.close();
    }
  };
  beforeAll(() => run(`CREATE SCHEMA ${schema}`));
  afterAll(async () => {
    await run(`DROP SCHEMA ${schema} CASCADE`);
    rmSync(folder, { recursive: true, force: true });
  });

  it('refuses to start on PostgreSQL without a token secret, and names the command that creates one', async () => {
    const refused = serve([], environment);
    expect(await refused.ended).toBe(2);
    expect(refused.err()).toContain('NATTER_TOKEN_SECRET');
    const command = /^ {4,}(\S.*)$/m.exec(refused.err())?.[1] ?? '';
    const secret = execFileSync('sh', ['-c', command], { encoding: 'utf8' }).trim();
    expect(secret.length).toBeGreaterThanOrEqual(32);
    const started = serve([], { ...environment, NATTER_TOKEN_SECRET: secret });
    expect(await started.serving).toContain('http://');
  });

  it.each([[[]], [['--dev']]])('creates no account and prints no key on PostgreSQL with %j', async (args) => {
    const started = serve(args, { ...environment, NATTER_TOKEN_SECRET: 's'.repeat(48) });
    await started.serving;
    expect(started.out() + started.err()).not.toMatch(CREDENTIAL);
    expect(await run('SELECT slug FROM accounts')).toEqual([]);
    expect(await run('SELECT id FROM api_keys')).toEqual([]);
  });
});
