import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTicketKey } from '@natter/token-proxy';
import { startTokenProxy } from '@natter/token-proxy/node';
import { type FlakyLink, startFlakyLink } from '../../demo/link/flaky-link.ts';
import { startNatsServer, type TestNatsServer } from '../../server-platform/src/bus/testing/nats-server.ts';
import { type Database, openDatabase } from '../../server-platform/src/db/index.ts';
import { ClusterNode, type ClusterNodeOptions } from './cluster-node.ts';
import { type ModelServer, startModel } from './model-server.ts';
import { startPostgres, type TestPostgres } from './postgres-server.ts';

/** What a cluster is started with. */
export interface ClusterOptions {
  /** What its nodes have of their own, in order. Default: three that have nothing. */
  readonly nodes?: readonly Partial<ClusterNodeOptions>[];
  /** How long the model takes for a word. */
  readonly wordPauseMs: number;
}

const A_DAY_S = 86_400;
const NO_NODE = { host: '127.0.0.1', port: 1 } as const;

/** Several nodes with a database and a bus of their own, behind a load balancer and a token proxy. */
export class Cluster {
  readonly postgres: TestPostgres;
  /** Past the nodes, for the checks. */
  readonly database: Database;
  nats: TestNatsServer;
  readonly nodes: ClusterNode[] = [];
  /** What the token proxy logged. */
  readonly proxyLog: string[] = [];
  endpoint = '';
  readonly model: ModelServer;
  readonly #balancer: FlakyLink;
  readonly #folder: string;
  readonly #tokenSecret: string = randomBytes(32).toString('hex');
  readonly #connectorToken: string = randomBytes(32).toString('hex');
  #outputOfOthers: string[] = [];
  #closeProxy: () => Promise<void> = async () => {};

  private constructor(
    services: { postgres: TestPostgres; database: Database; nats: TestNatsServer; model: ModelServer },
    balancer: FlakyLink,
    folder: string,
  ) {
    this.postgres = services.postgres;
    this.database = services.database;
    this.nats = services.nats;
    this.model = services.model;
    this.#balancer = balancer;
    this.#folder = folder;
  }

  static async start({ nodes = [{}, {}, {}], wordPauseMs }: ClusterOptions): Promise<Cluster> {
    const postgres = await startPostgres();
    const [database, nats, model, balancer, folder] = await Promise.all([
      openDatabase({ databaseUrl: postgres.url, maxConnections: 2 }),
      startNatsServer(''),
      startModel(wordPauseMs),
      startFlakyLink(NO_NODE),
      mkdtemp(join(tmpdir(), 'natter-cluster-')),
    ]);
    const cluster = new Cluster({ postgres, database, nats, model }, balancer, folder);
    try {
      await writeFile(cluster.#configFile, JSON.stringify(cluster.#config()));
      // The first one makes the tables.
      cluster.nodes.push(await cluster.startNode(0, nodes[0]));
      const others = nodes.slice(1).map(async (own, index) => {
        cluster.nodes[index + 1] = await cluster.startNode(index + 1, own);
      });
      // None may be left behind when another one cannot start.
      const failed = (await Promise.allSettled(others)).find(({ status }) => status === 'rejected');
      if (failed?.status === 'rejected') throw failed.reason;
      cluster.balance();
      await cluster.#startProxy();
      return cluster;
    } catch (error) {
      await cluster.close();
      throw error;
    }
  }

  /** What the processes printed. */
  get output(): readonly string[] {
    return [...this.#outputOfOthers, ...this.nodes.flatMap(({ output }) => output), ...this.proxyLog];
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
    const targets = nodes
      .filter(({ isRunning }) => isRunning)
      .map(({ port }) => ({ host: '127.0.0.1', port }));
    this.#balancer.retarget(...targets);
  }

  /** Closes everything, whatever state it is in. */
  async close(): Promise<void> {
    for (const node of this.nodes) {
      node.wake();
      await node.kill();
    }
    await this.#closeProxy();
    await Promise.all([this.#balancer.close(), this.model.close(), this.nats.stop()]);
    await this.database.close({ timeoutMs: 500 });
    await this.postgres.stop();
    await rm(this.#folder, { recursive: true, force: true });
  }

  get #configFile(): string {
    return join(this.#folder, 'natter.json');
  }

  #config(): object {
    const connector = { name: 'web', token: this.#connectorToken, hosts: ['example.com'] };
    const project = { slug: 'web', agent: 'ada', connectors: [connector] };
    const ada = {
      kind: 'llm',
      name: 'Ada',
      greeting: 'Hello, how can I help?',
      url: this.model.url,
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

  async #startProxy(): Promise<void> {
    const write = (fields: object, message: string): void => {
      this.proxyLog.push(`${message} ${JSON.stringify(fields)}`);
    };
    const proxy = await startTokenProxy({
      upstreamUrl: `http://127.0.0.1:${this.#balancer.port}`,
      websocketUrl: `ws://127.0.0.1:${this.#balancer.port}/ws`,
      connectors: { default: { token: this.#connectorToken, host: 'example.com' } },
      ticketKeys: [createTicketKey()],
      allowedOrigins: ['https://example.com'],
      allowRequestsWithoutOrigin: true,
      ticketLifetimeSeconds: A_DAY_S,
      limits: { sessionsPerClient: 0, resumesPerClient: 0, sessionsTotal: 0, resumesTotal: 0 },
      log: { info: write, warn: write, error: write },
    });
    this.endpoint = proxy.url;
    this.#closeProxy = () => proxy.close();
  }
}
