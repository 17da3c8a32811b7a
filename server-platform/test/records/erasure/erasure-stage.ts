import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AccountEntry } from '../../../src/app/config/account-entry.ts';
import { loadConfig } from '../../../src/app/config/index.ts';
import { type Platform, startPlatform } from '../../../src/app/start-platform.ts';
import { type Database, isDatabaseError, openDatabase } from '../../../src/db/index.ts';
import { CRASH_CONNECTOR_TOKEN, createCrashOptions } from '../../realtime/crash-options.ts';
import { NODES_DATABASE_URL } from '../../realtime/nodes.ts';
import type { AgentScript } from '../../realtime/scripted-agent.ts';
import type { TestSession } from '../../realtime/test-platform.ts';
import { openTestSocket, type TestSocket } from '../../realtime/test-socket.ts';

/** Keys of the stage, by their permissions. */
export const STAGE_KEYS = {
  runtime: 'a-runtime-key-for-the-tests-of-erasure',
  erasure: 'an-erasure-key-for-the-tests-of-erasure',
  dni: 'a-number-key-for-the-tests-of-erasure',
  events: 'an-event-key-for-the-tests-of-erasure',
  monitoring: 'a-monitoring-key-for-the-tests-of-erasure',
} as const;

export const STAGE_NUMBERS: readonly string[] = ['+441632960001', '+441632960002', '+441632960003'];

/** Where a stage keeps its data. */
export interface StagePlace {
  readonly name: string;
  readonly nodes: number;
  readonly open: () => Promise<StageData>;
}

interface StageData {
  readonly options: { readonly dataDir: string; readonly databaseUrl?: string };
  readonly folder: string;
  openDatabase(): Promise<Database>;
  remove(): Promise<void>;
}

/** The embedded database with one node; PostgreSQL, where a server answers, with two. */
export const STAGE_PLACES: readonly StagePlace[] = [
  { name: 'the embedded database', nodes: 1, open: openFolder },
  ...(NODES_DATABASE_URL === '' ? [] : [{ name: 'PostgreSQL with two nodes', nodes: 2, open: openSchema }]),
];

async function openFolder(): Promise<StageData> {
  const folder = await mkdtemp(join(tmpdir(), 'natter-erasure-'));
  return {
    options: { dataDir: folder },
    folder,
    openDatabase: () => openWhenFree(folder),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** A platform that shuts down waits for its database only so long, and may leave it to be closed a moment later. */
async function openWhenFree(folder: string): Promise<Database> {
  for (;;) {
    try {
      return await openDatabase({ dataDir: folder });
    } catch (error) {
      if (!isDatabaseError(error) || error.code !== 'locked') throw error;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

async function openSchema(): Promise<StageData> {
  const folder = await mkdtemp(join(tmpdir(), 'natter-erasure-'));
  const schema = `natter_erasure_${randomUUID().replaceAll('-', '')}`;
  const url = new URL(NODES_DATABASE_URL);
  url.searchParams.set('options', `-c search_path=${schema}`);
  const run = async (statement: string): Promise<void> => {
    const database = await openDatabase({ databaseUrl: url.href });
    await database.query(statement);
    await database.close();
  };
  await run(`CREATE SCHEMA ${schema}`);
  return {
    options: { dataDir: folder, databaseUrl: url.href },
    folder,
    openDatabase: () => openDatabase({ databaseUrl: url.href }),
    async remove() {
      await run(`DROP SCHEMA ${schema} CASCADE`);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A platform with every family, on one node or two. */
export interface ErasureStage {
  readonly data: StageData;
  readonly nodes: readonly Platform[];
  readonly first: Platform;
  /** The last node: another one than the first where there are two. */
  readonly last: Platform;
  /** `call('POST', '/v1/crash/crash/erasures', 'erasure', {…})` on the first node. */
  call(
    method: string,
    path: string,
    key: keyof typeof STAGE_KEYS,
    body?: object,
  ): Promise<{ readonly status: number; readonly body: Readonly<Record<string, unknown>> }>;
  startSession(): Promise<TestSession>;
  connect(node: Platform, session: TestSession): Promise<TestSocket>;
  /** Names of the audio files. */
  audioFiles(): Promise<readonly string[]>;
  /** Stops the nodes; the data stays. */
  stop(): Promise<void>;
}

/** Starts a stage. */
export async function startStage(
  place: StagePlace,
  script: AgentScript,
  retention?: NonNullable<AccountEntry['projects'][number]['retention_days']>,
): Promise<ErasureStage> {
  const data = await place.open();
  const nodes: Platform[] = [];
  const base = createCrashOptions({ dataDir: data.folder }, script);
  const config = await loadConfig({}, {});
  const accounts = (base.accounts ?? []).map((account) => ({
    ...account,
    projects: account.projects.map((project) => ({
      ...project,
      numbers: STAGE_NUMBERS,
      ...(retention !== undefined && { retention_days: retention }),
      keys: [
        keyOf('runtime', ['conversations', 'analytics', 'handoff', 'chat']),
        keyOf('erasure', ['erasure']),
        keyOf('dni', ['dni']),
        keyOf('events', ['external_events']),
      ],
    })),
    keys: [keyOf('monitoring', ['monitoring', 'conversations'])],
  }));
  for (let n = 0; n < place.nodes; n += 1) {
    nodes.push(
      await startPlatform({
        ...base,
        ...data.options,
        config: { ...config, rest: { ...config.rest, hasSimulatedCalls: true } },
        accounts,
      }),
    );
  }
  const [first] = nodes;
  const last = nodes.at(-1);
  if (first === undefined || last === undefined) throw new Error('A stage has at least one node.');
  const post = async (path: string, headers: Record<string, string>): Promise<Record<string, string>> =>
    JSON.parse(
      await (
        await fetch(`${first.url}/api/v1${path}`, {
          method: 'POST',
          headers,
          body: '{"streaming_enabled":true}',
        })
      ).text(),
    );
  return {
    data,
    nodes,
    first,
    last,
    async call(method, path, key, body) {
      const answer = await fetch(`${first.url}${path}`, {
        method,
        headers: {
          'X-Api-Key': STAGE_KEYS[key],
          'X-Token': CRASH_CONNECTOR_TOKEN,
          'Content-Type': 'application/json',
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      return { status: answer.status, body: text === '' ? {} : JSON.parse(text) };
    },
    async startSession() {
      const minted = await post('/access-token', { 'X-Token': CRASH_CONNECTOR_TOKEN, 'X-Host': 'localhost' });
      const accessToken = String(minted['access_token']);
      const started = await post('/sessions', { Authorization: `Bearer ${accessToken}` });
      return { sessionId: String(started['session_id']), accessToken };
    },
    connect(node, { sessionId, accessToken }) {
      const query = `session_id=${sessionId}&access_token=${accessToken}&cursor=0`;
      return openTestSocket(`ws://127.0.0.1:${node.port}/ws?${query}`);
    },
    async audioFiles() {
      return await readdir(join(data.folder, 'audio'));
    },
    async stop() {
      await Promise.all(nodes.map((node) => node.close()));
    },
  };
}

function keyOf(name: keyof typeof STAGE_KEYS, permissions: readonly string[]) {
  return { name, key: STAGE_KEYS[name], permissions, legacy: false, region: null, expires: null };
}
