import { randomUUID } from 'node:crypto';
import { connect as connectToNats } from '@nats-io/transport-node';
import type { ClientOptions } from 'ws';
import type { PlatformOptions } from '../../src/app/platform-options.ts';
import { type Platform, startPlatform } from '../../src/app/start-platform.ts';
import { openDatabase } from '../../src/db/index.ts';
import { REACHABLE_POSTGRES_URL } from '../db/postgres-server.ts';
import { CRASH_CONNECTOR_TOKEN, createCrashOptions } from './crash-options.ts';
import { type AgentScript, echoScript } from './scripted-agent.ts';
import type { TestSession } from './test-platform.ts';
import { openTestSocket, type TestSocket } from './test-socket.ts';

/** Where the nodes' database is; empty where there is no server. */
export const NODES_DATABASE_URL: string = REACHABLE_POSTGRES_URL ?? '';

const NATS_URL = process.env['NATS_URL_TEST'] ?? 'nats://127.0.0.1:4222';

/** The buses of this machine: the database's own, which tests skip without a server, and NATS when it answers. */
export const REACHABLE_BUSES: readonly { readonly name: string; readonly busUrl: string | null }[] = [
  { name: 'PostgreSQL', busUrl: null },
  ...(NODES_DATABASE_URL !== '' && (await isNatsThere()) ? [{ name: 'NATS', busUrl: NATS_URL }] : []),
];

/** Nodes of one platform, all on one separate schema. */
export interface TestNodes {
  /** Options of a node in a separate process. */
  readonly databaseUrl: string;
  start(options?: NodeOptions): Promise<Platform>;
  startSession(node: Platform | number): Promise<TestSession>;
  connect(
    node: Platform | number,
    session: TestSession,
    cursor?: number,
    options?: ClientOptions,
  ): Promise<TestSocket>;
  /** Runs a statement in the schema. */
  run(statement: string): Promise<readonly Record<string, unknown>[]>;
  /** Closes every node that runs, and removes the schema. */
  close(): Promise<void>;
}

/** Special settings of one node. */
export type NodeOptions = Partial<PlatformOptions> & { readonly script?: AgentScript };

/** Makes a place for nodes: a schema at `databaseUrl` of the options, else on the server of the tests. */
export async function createNodes(common: NodeOptions = {}): Promise<TestNodes> {
  const schema = `natter_nodes_${randomUUID().replaceAll('-', '')}`;
  const url = new URL(common.databaseUrl ?? NODES_DATABASE_URL);
  url.searchParams.set('options', `-c search_path=${schema}`);
  const databaseUrl = url.href;
  const running: Platform[] = [];
  const run = async (statement: string): Promise<readonly Record<string, unknown>[]> => {
    const database = await openDatabase({ databaseUrl });
    try {
      return await database.query(statement);
    } finally {
      await database.close();
    }
  };
  const portOf = (node: Platform | number): number => (typeof node === 'number' ? node : node.port);
  await run(`CREATE SCHEMA ${schema}`);
  return {
    databaseUrl,
    run,
    async start(options = {}) {
      const { script = echoScript, limits, ...given } = { ...common, databaseUrl, ...options };
      const base = createCrashOptions({ databaseUrl }, script);
      const node = await startPlatform({ ...base, ...given, limits: { ...base.limits, ...limits } });
      running.push(node);
      return node;
    },
    async startSession(node) {
      const api = `http://127.0.0.1:${portOf(node)}/api/v1`;
      const post = async (path: string, headers: Record<string, string>): Promise<Record<string, string>> =>
        JSON.parse(
          await (
            await fetch(`${api}${path}`, { method: 'POST', headers, body: '{"streaming_enabled":true}' })
          ).text(),
        );
      const minted = await post('/access-token', { 'X-Token': CRASH_CONNECTOR_TOKEN, 'X-Host': 'localhost' });
      const accessToken = String(minted['access_token']);
      const started = await post('/sessions', { Authorization: `Bearer ${accessToken}` });
      return { sessionId: String(started['session_id']), accessToken };
    },
    connect(node, { sessionId, accessToken }, cursor = 0, options = {}) {
      const query = `session_id=${sessionId}&access_token=${accessToken}&cursor=${cursor}`;
      return openTestSocket(`ws://127.0.0.1:${portOf(node)}/ws?${query}`, options);
    },
    async close() {
      await Promise.all(running.map((node) => node.close()));
      await run(`DROP SCHEMA ${schema} CASCADE`);
    },
  };
}

async function isNatsThere(): Promise<boolean> {
  try {
    const connection = await connectToNats({ servers: NATS_URL, reconnect: false, timeout: 1_000 });
    await connection.close();
    return true;
  } catch {
    // These tests are left out where there is none.
    return false;
  }
}
