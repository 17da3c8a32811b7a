import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FlakyLink, startFlakyLink } from '../../../demo/link/flaky-link.ts';
import { NODES_DATABASE_URL } from '../../test/realtime/nodes.ts';
import { openTestSocket, type TestSocket } from '../../test/realtime/test-socket.ts';
import { PROGRAM_ENVIRONMENT } from '../../test/run-platform.ts';
import { openDatabase } from '../db/index.ts';

const CLI = fileURLToPath(new URL('../cli.ts', import.meta.url));
const CONNECTOR_TOKEN = 'a-connector-token-for-tests';
const SCHEMA = `natter_shutdown_${randomUUID().replaceAll('-', '')}`;

const CONFIG = {
  server: { host: '127.0.0.1', port: 0 },
  logLevel: 'error',
  limits: { shutdownGraceMs: 1_000, shutdownJitterMs: 100 },
  accounts: [
    {
      slug: 'shutdown',
      projects: [
        { slug: 'web', connectors: [{ name: 'site', token: CONNECTOR_TOKEN, hosts: ['localhost'] }] },
      ],
    },
  ],
};

/** A platform in a separate process; only its connection to PostgreSQL uses the link. */
interface Served {
  readonly process: ChildProcess;
  readonly exited: Promise<readonly [code: number | null, signal: string | null]>;
  readonly url: string;
  /** The log of the process so far. */
  readonly log: readonly string[];
}

describe.skipIf(NODES_DATABASE_URL === '')('SIGTERM while PostgreSQL', () => {
  let link: FlakyLink;
  let folder: string;
  let served: Served;

  const inPostgres = async (statement: string): Promise<void> => {
    const database = await openDatabase({ databaseUrl: NODES_DATABASE_URL });
    await database.query(statement);
    await database.close();
  };

  beforeEach(async () => {
    await inPostgres(`CREATE SCHEMA ${SCHEMA}`);
    const url = new URL(NODES_DATABASE_URL);
    link = await startFlakyLink({ host: url.hostname, port: Number(url.port || 5432) });
    url.host = `127.0.0.1:${link.port}`;
    url.searchParams.set('options', `-c search_path=${SCHEMA}`);
    folder = await mkdtemp(join(tmpdir(), 'natter-shutdown-'));
    await writeFile(join(folder, 'config.json'), JSON.stringify(CONFIG));
    served = await serve(url.href);
  });
  afterEach(async () => {
    served.process.kill('SIGKILL');
    await served.exited;
    await link.close();
    await rm(folder, { recursive: true, force: true });
    await inPostgres(`DROP SCHEMA ${SCHEMA} CASCADE`);
  });

  async function serve(databaseUrl: string): Promise<Served> {
    const child = spawn(
      process.execPath,
      ['--conditions=@natter/source', CLI, 'serve', '--config', join(folder, 'config.json')],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
        env: {
          ...PROGRAM_ENVIRONMENT,
          DATABASE_URL: databaseUrl,
          NATTER_DATA_DIR: folder,
          NATTER_TOKEN_SECRET: 'a secret of the tests that is long enough',
        },
      },
    );
    const exited = once(child, 'exit') as Promise<[number | null, string | null]>;
    const log: string[] = [];
    const url = new Promise<string>((resolve) => {
      createInterface({ input: child.stdout }).on('line', (line) => {
        log.push(line);
        const address = /^Serving on (\S+)/.exec(line)?.[1];
        if (address !== undefined) resolve(address);
      });
    });
    return { process: child, exited, url: await url, log };
  }

  /** A socket of a session that the platform owns. */
  async function connect(): Promise<TestSocket> {
    const post = async (path: string, headers: Record<string, string>): Promise<Record<string, unknown>> =>
      (await fetch(`${served.url}/api/v1${path}`, { method: 'POST', headers, body: '{}' })).json();
    const minted = await post('/access-token', { 'X-Token': CONNECTOR_TOKEN, 'X-Host': 'localhost' });
    const started = await post('/sessions', { Authorization: `Bearer ${minted['access_token']}` });
    const query = `session_id=${started['session_id']}&access_token=${minted['access_token']}&cursor=0`;
    const socket = await openTestSocket(`${served.url.replace('http', 'ws')}/ws?${query}`);
    socket.send('REQUEST_AGENT_JOIN');
    await socket.next('SYSTEM_MESSAGE');
    return socket;
  }

  it('ends the process on SIGTERM while PostgreSQL responds', async () => {
    const socket = await connect();
    served.process.kill('SIGTERM');
    expect((await socket.closed).code).toBe(1001);
    expect(await served.exited).toEqual([0, null]);
    expect(served.log.join('\n')).not.toContain('could not release');
  });

  it('ends the process on SIGTERM although PostgreSQL refuses connections', async () => {
    const socket = await connect();
    link.setConditions({ isRefusing: true });
    link.drop();
    served.process.kill('SIGTERM');
    expect((await socket.closed).code).toBe(1001);
    expect(await served.exited).toEqual([0, null]);
    expect(served.log.join('\n')).toContain('could not release its sessions');
  });

  it('ends the process on SIGTERM although PostgreSQL stopped responding in the middle of an append', async () => {
    const socket = await connect();
    link.setConditions({ stalled: 'both' });
    socket.send('USER_MESSAGE', { text: 'Is anybody there?' });
    const ready = fetch(`${served.url}/readyz`).catch(() => null);
    served.process.kill('SIGTERM');
    expect((await socket.closed).code).toBe(1001);
    expect(await served.exited).toEqual([0, null]);
    expect(served.log.join('\n')).toContain('could not release its sessions');
    await ready;
  });
});
