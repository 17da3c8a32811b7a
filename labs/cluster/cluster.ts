import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dayOf, FIRST_ID_WITHOUT_DAY } from '../../server-platform/src/db/ids/index.ts';
import { type Database, openDatabase } from '../../server-platform/src/db/index.ts';
import { addEventPartitions } from '../../server-platform/src/realtime/event-log/index.ts';
import { startNatsServer, type TestNatsServer } from '../../server-platform/test/realtime/bus/nats-server.ts';
import { ClusterNode, type ClusterNodeOptions } from './cluster-node.ts';
import { FarEnds } from './far-ends.ts';
import { startPostgres, type TestPostgres } from './postgres-server.ts';

/** Options of a cluster. */
export interface ClusterOptions {
  /** Special settings of its nodes, in order. Default: three without any. */
  readonly nodes?: readonly Partial<ClusterNodeOptions>[];
  /** Delay of the model per word. */
  readonly wordPauseMs: number;
}

/** Several nodes with a separate database and bus, behind a load balancer and a token proxy. */
export class Cluster {
  readonly postgres: TestPostgres;
  /** Past the nodes, for the checks. */
  readonly database: Database;
  nats: TestNatsServer;
  readonly nodes: ClusterNode[] = [];
  /** The model, the load balancer and the token proxy. */
  readonly farEnds: FarEnds;
  readonly #folder: string;
  readonly #tokenSecret: string = randomBytes(32).toString('hex');
  readonly #connectorToken: string;
  #outputOfOthers: string[] = [];

  private constructor(
    services: { postgres: TestPostgres; database: Database; nats: TestNatsServer; farEnds: FarEnds },
    folder: string,
    connectorToken: string,
  ) {
    this.postgres = services.postgres;
    this.database = services.database;
    this.nats = services.nats;
    this.farEnds = services.farEnds;
    this.#folder = folder;
    this.#connectorToken = connectorToken;
  }

  static async start({ nodes = [{}, {}, {}], wordPauseMs }: ClusterOptions): Promise<Cluster> {
    const connectorToken = randomBytes(32).toString('hex');
    const postgres = await startPostgres();
    const [database, nats, farEnds, folder] = await Promise.all([
      openDatabase({ databaseUrl: postgres.url, maxConnections: 2 }),
      startNatsServer(''),
      FarEnds.start({ wordPauseMs, connectorToken }),
      mkdtemp(join(tmpdir(), 'natter-cluster-')),
    ]);
    const cluster = new Cluster({ postgres, database, nats, farEnds }, folder, connectorToken);
    try {
      await writeFile(cluster.#configFile, JSON.stringify(cluster.#config()));
      // The first one makes the tables.
      cluster.nodes.push(await cluster.startNode(0, nodes[0]));
      await cluster.addPartitions();
      const others = nodes.slice(1).map(async (own, index) => {
        cluster.nodes[index + 1] = await cluster.startNode(index + 1, own);
      });
      // None may be left behind when another one cannot start.
      const failed = (await Promise.allSettled(others)).find(({ status }) => status === 'rejected');
      if (failed?.status === 'rejected') throw failed.reason;
      cluster.balance();
      return cluster;
    } catch (error) {
      await cluster.close();
      throw error;
    }
  }

  /** Output of the processes. */
  get output(): readonly string[] {
    return [...this.#outputOfOthers, ...this.nodes.flatMap(({ output }) => output), ...this.farEnds.log];
  }

  node(index: number): ClusterNode {
    const node = this.nodes[index];
    if (node === undefined) throw new Error(`There is no node ${index}.`);
    return node;
  }

  /** Starts a node; the caller puts it in its place. */
  async startNode(index: number, own: Partial<ClusterNodeOptions> = {}): Promise<ClusterNode> {
    return await ClusterNode.start({
      name: `node-${index}`,
      databaseUrl: this.postgres.url,
      busUrl: `nats://127.0.0.1:${this.nats.port}`,
      configFile: this.#configFile,
      tokenSecret: this.#tokenSecret,
      ...own,
    });
  }

  /** A new process in the place of one that has ended. */
  async replace(index: number, own: Partial<ClusterNodeOptions> = {}): Promise<void> {
    this.#outputOfOthers = [...this.#outputOfOthers, ...this.node(index).output];
    this.nodes[index] = await this.startNode(index, own);
    this.balance();
  }

  /** Lets new connections go to these nodes in turn, as a load balancer does after its next look at /readyz. */
  balance(nodes: readonly ClusterNode[] = this.nodes): void {
    this.farEnds.balance(nodes.filter(({ isRunning }) => isRunning).map(({ port }) => port));
  }

  /** Closes everything, in any state. */
  async close(): Promise<void> {
    // A node that did not start has left a hole.
    for (const node of this.nodes.flat()) {
      node.resume();
      await node.kill();
    }
    await Promise.all([this.farEnds.close(), this.nats.stop()]);
    await this.database.close({ timeoutMs: 500 });
    await this.postgres.stop();
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** Adds the partitions that a node adds in its first minute: nodes that start after this put sessions into them at once. */
  async addPartitions(): Promise<void> {
    const today = dayOf(Date.now());
    await addEventPartitions(this.database, [today, today + 1]);
  }

  /** Number of all sessions, and of those with events in the partition of a day. */
  async countSessions(): Promise<{ readonly all: number; readonly ofDays: number }> {
    const [row] = await this.database.query<{ all: number; of_days: number }>(
      'SELECT count(*) AS all, count(*) FILTER (WHERE id < $1) AS of_days FROM sessions',
      [FIRST_ID_WITHOUT_DAY],
    );
    return { all: row?.all ?? 0, ofDays: row?.of_days ?? 0 };
  }

  get #configFile(): string {
    return join(this.#folder, 'natter.json');
  }

  #config(): object {
    const connector = { name: 'web', token: this.#connectorToken, hosts: ['example.com'] };
    const project = { slug: 'web', agent: 'ada', retention_days: { events: 30 }, connectors: [connector] };
    const ada = {
      kind: 'llm',
      name: 'Ada',
      greeting: 'Hello, how can I help?',
      url: this.farEnds.modelUrl,
      model: 'slow',
      systemPrompt: 'Answer.',
      // Its answers are held back while something fails.
      timeouts: { idleMs: 100_000 },
    };
    return {
      accounts: [{ slug: 'cluster', projects: [project] }],
      agents: { ada },
      // All visitors come from one address here.
      limits: {
        ...{ accessTokensPerMinute: 1_000_000, sessionsPerMinute: 1_000_000 },
        ...{ maxReconnectAttempts: 20, shutdownGraceMs: 10_000, shutdownJitterMs: 2_000 },
      },
    };
  }
}
