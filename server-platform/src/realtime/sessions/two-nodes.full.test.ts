import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  createNodes,
  NODES_DATABASE_URL,
  REACHABLE_BUSES,
  type TestNodes,
} from '../../../test/realtime/nodes.ts';
import { isEndOfMessage, type TestSession } from '../../../test/realtime/test-platform.ts';
import { type Frame, type TestSocket, typesOf } from '../../../test/realtime/test-socket.ts';
import type { Platform } from '../../app/start-platform.ts';

const sequences = (events: readonly Frame[]): readonly (number | null)[] =>
  events.map(({ sequence }) => sequence).filter((sequence) => sequence !== null);

const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1);

const saying = (text: string) => (frame: Frame) => frame.payload['text'] === text;

describe.skipIf(NODES_DATABASE_URL === '').each(REACHABLE_BUSES)(
  'two nodes on one database, over $name',
  ({ busUrl }) => {
    let nodes: TestNodes;
    let one: Platform;
    let two: Platform;
    const sockets: TestSocket[] = [];
    beforeAll(async () => {
      nodes = await createNodes({ ...(busUrl !== null && { busUrl }) });
      one = await nodes.start();
      two = await nodes.start();
    });
    afterEach(() => {
      for (const socket of sockets.splice(0)) socket.ws.terminate();
    });
    afterAll(() => nodes.close());

    async function connect(node: Platform, session: TestSession, cursor = 0): Promise<TestSocket> {
      const socket = await nodes.connect(node, session, cursor);
      sockets.push(socket);
      return socket;
    }

    /** Starts a conversation owned by the first node, with a socket on each node. */
    async function converse(): Promise<{ session: TestSession; here: TestSocket; there: TestSocket }> {
      const session = await nodes.startSession(one);
      const here = await connect(one, session);
      here.send('REQUEST_AGENT_JOIN');
      await here.next(isEndOfMessage);
      const there = await connect(two, session);
      await there.next(isEndOfMessage);
      return { session, here, there };
    }

    it('sends the sockets of both nodes the same events in the same order, whichever node writes', async () => {
      const { here, there } = await converse();
      for (const [turn, [from, text]] of (
        [
          [there, 'from there'],
          [here, 'from here'],
          [there, 'ünd 🦉 again'],
        ] as const
      ).entries()) {
        from.send('USER_TYPING', { state: 'TYPING_STATE_STARTED' });
        from.send('USER_MESSAGE', { text }, turn === 0 ? {} : { client_event_id: `draft-${turn}` });
        for (const socket of [here, there]) await socket.next(saying(`You said: ${text}`));
      }
      expect(sequences(there.events)).toEqual(upTo(10));
      const sequenced = (socket: TestSocket): readonly Frame[] =>
        socket.events.filter(({ sequence }) => sequence !== null);
      expect(sequenced(there)).toEqual(sequenced(here));
      expect(typesOf(there.events)).toContain('AGENT_THINKING');
      const [owner] = await nodes.run(`SELECT count(DISTINCT owner_node)::int AS owners FROM sessions`);
      expect(owner).toEqual({ owners: 1 });
    });

    it("sends individual replies only to the client's own socket on its node", async () => {
      const { here, there } = await converse();
      there.send('USER_MESSAGE', { text: 'once' }, { client_event_id: 'the same' });
      const echo = await there.next('USER_MESSAGE');
      await there.next(isEndOfMessage);
      there.send('USER_MESSAGE', { text: 'once' }, { client_event_id: 'the same' });
      expect(await there.next('USER_MESSAGE')).toEqual(echo);
      await here.next(saying('You said: once'));
      expect(here.events.filter(({ type }) => type === 'EVENT_TYPE_USER_MESSAGE')).toHaveLength(1);
    });

    it('forwards a message of the largest size', async () => {
      const { here, there } = await converse();
      const text = 'ö'.repeat(60_000);
      there.send('USER_MESSAGE', { text });
      for (const socket of [here, there])
        expect((await socket.next('USER_MESSAGE')).payload['text']).toBe(text);
    });

    it("applies the session's rate limit across both nodes (16)", async () => {
      const { here, there } = await converse();
      for (let index = 0; index < 40; index += 1) there.send('USER_MESSAGE', { text: `message ${index}` });
      const warning = await there.next('SYSTEM_MESSAGE');
      expect(warning.payload['message']).toBe('Rate limit exceeded. Message dropped.');
      expect(typesOf(here.events)).not.toContain('SYSTEM_MESSAGE');
    });

    it('closes the sockets of both nodes when the user ends the conversation on either (8.6)', async () => {
      const { here, there } = await converse();
      there.send('USER_END_SESSION');
      expect((await here.closed).code).toBe(1000);
      expect((await there.closed).code).toBe(1000);
      expect(sequences(there.events)).toEqual(upTo(6));
      expect(typesOf(here.events).slice(-2)).toEqual(['USER_END_SESSION', 'SESSION_END']);
    });

    it('admits ten sockets of a session on both nodes together (WS-3)', async () => {
      const session = await nodes.startSession(one);
      for (let index = 0; index < 10; index += 1) await connect(index % 2 === 0 ? one : two, session);
      for (const node of [one, two]) await expect(connect(node, session)).rejects.toThrow('429');
      await sockets[0]?.close();
      await expect.poll(() => connect(two, session).catch(() => null)).not.toBeNull();
    });

    it('hands a session over when its node shuts down, and keeps the socket on the other node', async () => {
      const leaving = await nodes.start();
      const session = await nodes.startSession(leaving);
      const before = await connect(leaving, session);
      before.send('REQUEST_AGENT_JOIN');
      await before.next(isEndOfMessage);
      const staying = await connect(two, session);
      staying.send('USER_MESSAGE', { text: 'before' });
      await staying.next(saying('You said: before'));
      await leaving.close();
      staying.send('USER_MESSAGE', { text: 'after' });
      await staying.next(saying('You said: after'));
      expect((await before.closed).code).toBe(1001);
      expect(sequences(staying.events)).toEqual(upTo(8));
    });
  },
);
