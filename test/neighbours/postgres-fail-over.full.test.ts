import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FlakyLink, startFlakyLink } from '../../demo/link/flaky-link.ts';
import { PATIENCE } from '../../e2e/patience.ts';
import type { Platform } from '../../server-platform/src/app/start-platform.ts';
import { openDatabase } from '../../server-platform/src/db/index.ts';
import { createNodes, type TestNodes } from '../../server-platform/test/realtime/nodes.ts';
import type { TestSession } from '../../server-platform/test/realtime/test-platform.ts';
import type { Frame, TestSocket } from '../../server-platform/test/realtime/test-socket.ts';
import {
  createPostgresServers,
  type PostgresServer,
  type PostgresServers,
  whyNoServers,
} from './postgres-servers.ts';

if (whyNoServers !== null) console.info(`PostgreSQL's fail-over is not tested: ${whyNoServers}`);

// Time limit for a message after a server accepts writes again.
const RECOVERY_MS = 10_000 * PATIENCE;
// Like the widget with a message that is not echoed.
const RESEND_MS = 1_000;

const MAX_CONNECTIONS = '40';

describe.skipIf(whyNoServers !== null)('PostgreSQL behind a switch', () => {
  let servers: PostgresServers;
  let primary: PostgresServer;
  let link: FlakyLink;
  let nodes: TestNodes;
  let platform: Platform;
  let session: TestSession;
  let visitor: Visitor;

  beforeEach(async () => {
    servers = await createPostgresServers();
    primary = await servers.createPrimary({ max_connections: MAX_CONNECTIONS });
    link = await startFlakyLink(toTarget(primary));
    nodes = await createNodes({ databaseUrl: `postgres://postgres@127.0.0.1:${link.port}/postgres` });
    platform = await nodes.start();
    session = await nodes.startSession(platform);
    visitor = new Visitor(() => nodes.connect(platform, session));
    await visitor.say('before');
  });
  afterEach(async () => {
    visitor.stop();
    await platform.close();
    await link.close();
    await servers.remove();
  });

  const isReady = async (): Promise<boolean> => (await fetch(`${platform.url}/readyz`)).status === 200;

  /** Expects every message in the log once and in order. */
  async function expectAllStored(): Promise<void> {
    const socket = await nodes.connect(platform, session);
    const last = visitor.said.at(-1);
    await socket.next(({ payload }) => payload['text'] === `You said: ${last}`);
    const stored = socket.events.filter(({ sequence }) => sequence !== null);
    expect(stored.map(({ sequence }) => sequence)).toEqual(stored.map((_, index) => index + 1));
    const texts = stored.filter(({ type }) => type === 'EVENT_TYPE_USER_MESSAGE').map(toText);
    expect(texts).toEqual(visitor.said);
    await socket.close();
  }

  /** Expects pending messages, and another one, to be answered soon after a server accepts writes. */
  async function expectToGoOn(text: string, underWay?: Promise<void>): Promise<void> {
    const startedAt = performance.now();
    await underWay;
    await visitor.say(text);
    const tookMs = Math.round(performance.now() - startedAt);
    console.info(`"${text}": answered ${tookMs} ms after a server took writes`);
    expect(tookMs).toBeLessThan(RECOVERY_MS);
    await expect.poll(isReady).toBe(true);
    await expectAllStored();
  }

  it('continues at the new primary when the old one became read-only with its connections open', async () => {
    const standby = await servers.createStandby(primary);
    await visitor.say('with a standby');
    const underWay = visitor.say('while it changes');
    await primary.set('default_transaction_read_only', 'on');
    await standby.promote();
    link.retarget(toTarget(standby));
    await expectToGoOn('after a demotion', underWay);
  });

  it('continues after connections were made to the standby before it was promoted', async () => {
    const standby = await servers.createStandby(primary);
    await primary.stop('immediate');
    link.retarget(toTarget(standby));
    const underWay = visitor.say('into the gap');
    await expect.poll(isReady).toBe(false);
    // The platform reaches the standby for longer than one attempt takes.
    await sleep(3_000);
    expect(await isReady()).toBe(false);
    await standby.promote();
    await expectToGoOn('after a crash', underWay);
  });

  it('continues at the primary when its connections lead to a standby that stays one', async () => {
    const standby = await servers.createStandby(primary);
    link.retarget(toTarget(standby));
    link.drop();
    const underWay = visitor.say('to the wrong one');
    await expect.poll(isReady).toBe(false);
    link.retarget(toTarget(primary));
    await expectToGoOn('at the right one', underWay);
  });

  it('is not ready while the server rejects writes, and continues when it accepts them', async () => {
    await primary.set('default_transaction_read_only', 'on');
    await expect.poll(isReady).toBe(false);
    const underWay = visitor.say('while nothing can be written');
    await sleep(2_000);
    await primary.set('default_transaction_read_only', 'off');
    await expectToGoOn('when it can', underWay);
  });

  it('continues after the database server was restarted', async () => {
    const underWay = visitor.say('during the restart');
    await primary.stop('fast');
    await expect.poll(isReady).toBe(false);
    await primary.start();
    await expectToGoOn('after the restart', underWay);
  });

  it('continues after the database server was full of connections', async () => {
    const others: pg.Client[] = [];
    const observer = new pg.Client({ connectionString: primary.url });
    await observer.connect();
    const countOthers = async (): Promise<number> =>
      (
        await observer.query(
          "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()",
        )
      ).rows.length;
    const fill = async (): Promise<void> => {
      for (;;) {
        const client = new pg.Client({ connectionString: primary.url });
        client.on('error', () => {});
        try {
          await client.connect();
          others.push(client);
        } catch {
          return;
        }
      }
    };
    // The platform cannot connect until all connections are used, including its own former ones.
    link.setConditions({ isRefusing: true });
    link.drop();
    await expect.poll(countOthers).toBe(0);
    await fill();
    link.heal();
    await expect.poll(isReady).toBe(false);
    const underWay = visitor.say('while it is full');
    await sleep(2_000);
    await Promise.all([observer, ...others].map((client) => client.end()));
    await expectToGoOn('when there is room', underWay);
  });

  it('reports at the start that the database server rejects writes', async () => {
    const standby = await servers.createStandby(primary);
    const opening = openDatabase({ databaseUrl: standby.url });
    await expect(opening).rejects.toMatchObject({
      code: 'unavailable',
      sqlState: '25006',
      message: expect.stringContaining('DATABASE_URL'),
    });
    await opening.catch(() => undefined);
  });

  it('keeps two nodes connected through the bus of the database', async () => {
    const other = await nodes.start();
    const standby = await servers.createStandby(primary);
    await primary.set('default_transaction_read_only', 'on');
    await standby.promote();
    link.retarget(toTarget(standby));
    await expectToGoOn('with two nodes');
    const elsewhere = await nodes.connect(other, session);
    await visitor.say('heard at both');
    await elsewhere.next((frame) => toText(frame) === 'You said: heard at both');
    await elsewhere.close();
    await other.close();
  });
});

function toTarget({ port }: PostgresServer): { readonly host: string; readonly port: number } {
  return { host: '127.0.0.1', port };
}

function toText({ payload }: Frame): unknown {
  return payload['text'];
}

/** Sends each message, under its id, until it is answered. Opens a new socket after one was closed. */
class Visitor {
  readonly said: string[] = [];
  readonly #open: () => Promise<TestSocket>;
  #socket: TestSocket | null = null;
  #isStopped = false;
  #last: Promise<void> = Promise.resolve();

  constructor(open: () => Promise<TestSocket>) {
    this.#open = open;
  }

  /** Resolves when the answer has arrived. One message is in flight at a time. */
  say(text: string): Promise<void> {
    this.#last = this.#last.then(() => this.#send(text));
    return this.#last;
  }

  stop(): void {
    this.#isStopped = true;
    this.#socket?.ws.terminate();
  }

  async #send(text: string): Promise<void> {
    this.said.push(text);
    while (!this.#isStopped) {
      const socket = await this.#connect();
      if (socket !== null) {
        socket.send('USER_MESSAGE', { text }, { client_event_id: text });
        if (await this.#waitForAnswer(socket, text)) return;
      } else await sleep(RESEND_MS);
    }
  }

  async #connect(): Promise<TestSocket | null> {
    if (this.#socket?.ws.readyState === this.#socket?.ws.OPEN && this.#socket !== null) return this.#socket;
    try {
      this.#socket = await this.#open();
      if (this.said.length === 1) this.#socket.send('REQUEST_AGENT_JOIN');
      return this.#socket;
    } catch {
      // The handshake was refused while the database was down.
      return null;
    }
  }

  async #waitForAnswer(socket: TestSocket, text: string): Promise<boolean> {
    const endsAt = performance.now() + RESEND_MS;
    const isAnswered = (): boolean => socket.events.some((frame) => toText(frame) === `You said: ${text}`);
    while (!isAnswered() && performance.now() < endsAt) await sleep(20);
    return isAnswered();
  }
}
