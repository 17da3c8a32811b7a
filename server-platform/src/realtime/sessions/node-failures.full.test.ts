import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type FlakyLink, startFlakyLink } from '../../../../demo/link/flaky-link.ts';
import { BROKEN_OFF } from '../../../test/realtime/crash-options.ts';
import {
  createNodes,
  NODES_DATABASE_URL,
  REACHABLE_BUSES,
  type TestNodes,
} from '../../../test/realtime/nodes.ts';
import { isEndOfMessage, type TestSession } from '../../../test/realtime/test-platform.ts';
import { type EventName, type Frame, type TestSocket, typesOf } from '../../../test/realtime/test-socket.ts';
import type { Platform } from '../../app/start-platform.ts';

const CHILD = fileURLToPath(new URL('../../../test/realtime/crash-child.ts', import.meta.url));

const saying = (text: string) => (frame: Frame) => frame.payload['text'] === text;

const sequenced = (socket: TestSocket): readonly Frame[] =>
  socket.events.filter(({ sequence }) => sequence !== null);

/** A node that asks the owner a second time may give the sender its echo a second time (ECH-4). */
const withoutRepeatedEchoes = (socket: TestSocket): readonly Frame[] =>
  sequenced(socket).filter(
    ({ id, type }, index, all) =>
      type !== 'EVENT_TYPE_USER_MESSAGE' || all.findIndex((other) => other.id === id) === index,
  );

describe.skipIf(NODES_DATABASE_URL === '').each(REACHABLE_BUSES)(
  'a node that dies, over $name',
  ({ busUrl }) => {
    let nodes: TestNodes;
    let child: ChildProcess | undefined;
    afterEach(async () => {
      child?.kill('SIGKILL');
      await nodes.close();
    });

    /** Starts a node in a separate process and one in this process. */
    async function startBoth(): Promise<{ port: number; survivor: Platform; kill: () => Promise<void> }> {
      const bus = busUrl === null ? {} : { busUrl };
      nodes = await createNodes(bus);
      const started = fork(CHILD, [JSON.stringify({ databaseUrl: nodes.databaseUrl, ...bus })], {
        execArgv: ['--conditions=@natter/source'],
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      });
      child = started;
      const [{ port }] = (await once(started, 'message')) as [{ port: number }];
      const survivor = await nodes.start();
      const kill = async (): Promise<void> => {
        started.kill('SIGKILL');
        await once(started, 'exit');
      };
      return { port, survivor, kill };
    }

    /** A conversation with a socket on a node that is killed in the middle of a turn, and one on another node. */
    async function killOwner(text: string, until: EventName): Promise<TestSocket> {
      const { port, survivor, kill } = await startBoth();
      const session = await nodes.startSession(port);
      const before = await nodes.connect(port, session);
      before.send('REQUEST_AGENT_JOIN');
      await before.next(isEndOfMessage);
      const staying = await nodes.connect(survivor, session);
      await staying.next(isEndOfMessage);
      staying.send('USER_MESSAGE', { text }, { client_event_id: 'draft-1' });
      await staying.next(until);
      await kill();
      // Expires the dead node's lease.
      await nodes.run(
        'UPDATE node_leases SET expires_at = 0 WHERE epoch = (SELECT min(epoch) FROM node_leases)',
      );
      return staying;
    }

    it("ends a dead node's interrupted answer on the other node, on the same socket", async () => {
      const staying = await killOwner('break off', 'AGENT_MESSAGE_CHUNK');
      staying.send('USER_MESSAGE', { text: 'still there?' });
      const notice = await staying.next('SYSTEM_MESSAGE');
      expect(notice.payload['message']).toBe('Sorry, I encountered an error. Please try again.');
      await staying.next(saying('You said: still there?'));
      expect(typesOf(sequenced(staying))).toEqual(BROKEN_OFF);
      expect(sequenced(staying).map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    });

    it("answers a dead node's question on the other node without a retry by the client", async () => {
      const staying = await killOwner('say nothing', 'AGENT_THINKING');
      await staying.next(saying('You said: say nothing'));
      expect(sequenced(staying).map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6]);
    });

    it("frees a dead node's share of a session's ten sockets (WS-3)", async () => {
      const { port, survivor, kill } = await startBoth();
      const session = await nodes.startSession(port);
      const connect = (node: Platform | number): Promise<boolean> =>
        nodes.connect(node, session).then(
          () => true,
          () => false,
        );
      for (const node of [port, survivor])
        for (let count = 0; count < 5; count += 1) expect(await connect(node)).toBe(true);
      // Polled, because sockets of a node that does not answer in time are not counted.
      await expect.poll(() => connect(survivor)).toBe(false);
      await kill();
      await expect.poll(() => connect(survivor)).toBe(true);
    });
  },
);

describe.skipIf(NODES_DATABASE_URL === '').each(REACHABLE_BUSES)(
  'a node whose way to the others fails, over $name',
  ({ busUrl }) => {
    let nodes: TestNodes;
    let link: FlakyLink;
    let sound: Platform;
    let cut: Platform;
    beforeAll(async () => {
      const target = new URL(busUrl ?? NODES_DATABASE_URL);
      link = await startFlakyLink({ host: target.hostname, port: Number(target.port || 5432) });
      nodes = await createNodes(busUrl === null ? {} : { busUrl });
      sound = await nodes.start();
      // Only messages between nodes go through the link, not the database's.
      cut = await nodes.start({
        busUrl: Object.assign(new URL(target), { host: `127.0.0.1:${link.port}` }).href,
      });
    });
    afterEach(() => link.heal());
    afterAll(async () => {
      await nodes.close();
      await link.close();
    });

    async function converse(
      owner: Platform,
      other: Platform,
    ): Promise<{ session: TestSession; here: TestSocket; there: TestSocket }> {
      const session = await nodes.startSession(owner);
      const here = await nodes.connect(owner, session);
      here.send('REQUEST_AGENT_JOIN');
      await here.next(isEndOfMessage);
      const there = await nodes.connect(other, session);
      await there.next(isEndOfMessage);
      return { session, here, there };
    }

    /** Both write in turns while the link is in this state; everything arrives at both, once and in order. */
    async function exchange(here: TestSocket, there: TestSocket, rounds: number): Promise<void> {
      for (let round = 0; round < rounds; round += 1) {
        for (const [name, from] of Object.entries({ here, there })) {
          const text = `${name} ${round} ${Math.random()}`;
          from.send('USER_MESSAGE', { text }, { client_event_id: text });
          for (const socket of [here, there]) await socket.next(saying(`You said: ${text}`));
        }
      }
      const stored = withoutRepeatedEchoes(here);
      expect(stored.map(({ sequence }) => sequence)).toEqual(stored.map((_, index) => index + 1));
      expect(withoutRepeatedEchoes(there)).toEqual(stored);
    }

    const owners = ['sound', 'cut'] as const;
    const between = (owner: (typeof owners)[number]) =>
      owner === 'sound' ? converse(sound, cut) : converse(cut, sound);

    it.each(owners)(
      'loses nothing when the bus connection breaks, with the %s node as owner',
      async (owner) => {
        const { here, there } = await between(owner);
        await exchange(here, there, 1);
        for (let round = 0; round < 3; round += 1) {
          link.drop();
          await exchange(here, there, 1);
        }
      },
    );

    it.each(owners)('continues without a bus, with the %s node as owner', async (owner) => {
      const { here, there } = await between(owner);
      link.setConditions({ isRefusing: true });
      link.drop();
      await exchange(here, there, 2);
      link.heal();
      await exchange(here, there, 2);
    });

    it.each(owners)('detects a stalled bus connection, with the %s node as owner', async (owner) => {
      const { here, there } = await between(owner);
      link.deafen('both');
      await exchange(here, there, 2);
    });

    it.each(
      owners.flatMap((owner) => [
        { owner, how: 'late', conditions: { delayMs: 300 } },
        { owner, how: 'at 50 kbit/s', conditions: { bytesPerSecond: 6_250 } },
      ]),
    )('waits for a bus that carries $how, with the $owner one as owner', async ({ owner, conditions }) => {
      const { here, there } = await between(owner);
      link.setConditions(conditions);
      await exchange(here, there, 2);
    });
  },
);
