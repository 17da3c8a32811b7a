import { afterEach, describe, expect, it } from 'vitest';
import { EMBEDDED_ENGINE } from '../../../test/db/engines.ts';
import { addOwnedSession, addTestConnector } from '../../../test/db/fixtures.ts';
import { createFakeSession } from '../../../test/realtime/fake-session.ts';
import { createDoor } from '../../../test/realtime/scripted-agent.ts';
import {
  isEndOfMessage,
  startTestPlatform,
  type TestPlatform,
} from '../../../test/realtime/test-platform.ts';
import { typesOf } from '../../../test/realtime/test-socket.ts';
import { startConversations } from '../../../test/records/conversations/start-conversations.ts';
import type { AgentAction, AgentTurn } from '../../agents/index.ts';
import type { Database } from '../../db/index.ts';
import { markWaitBegun, openWait, storeExternalEvent } from '../external-events/index.ts';
import { ExternalEventWaits } from './external-event-waits.ts';

const ID = 'evt_01HF2MNW2ZQ1Z8E2S3JABCDEFG';
const waits: AgentAction = { type: 'wait_for_event', name: 'payment', timeoutMs: 60_000, eventId: ID };

/** Waits for a payment when asked to pay, and reports the result. */
async function* cashier(turn: AgentTurn): AsyncGenerator<AgentAction> {
  if (turn.event !== undefined) {
    const { received } = turn.event;
    yield {
      type: 'text',
      text: received === null ? 'No payment.' : `Paid: ${JSON.stringify(received.data)}`,
    };
  } else if (turn.text === 'pay') {
    yield waits;
    yield { type: 'text', text: `Pay at ${ID}` };
  } else {
    yield { type: 'text', text: `${turn.kind}, ${turn.externalEvents?.length ?? 0} events` };
  }
}

describe('an agent that waits for an external event', () => {
  let platform: TestPlatform;
  afterEach(() => platform.stop());

  async function converse(script = cashier) {
    platform = await startTestPlatform(EMBEDDED_ENGINE);
    platform.agent.script = script;
    return await platform.converse();
  }

  const post = (data: unknown) =>
    storeExternalEvent(
      platform.database,
      { eventId: ID, projectId: 'PROJECT-1', contentType: 'application/json', data },
      platform.clock.now(),
    );
  const textOf = (events: readonly { readonly payload: Readonly<Record<string, unknown>> }[]) =>
    events.flatMap(({ payload }) => (typeof payload['text'] === 'string' ? [payload['text']] : []));

  it('continues when the external event arrives, and shows it to every later turn (EE-6)', async () => {
    const { socket, sessionId } = await converse();
    socket.send('USER_MESSAGE', { text: 'pay' });
    await socket.next(isEndOfMessage);
    expect(await post({ amount: 12 })).toEqual({ sessionId });
    await platform.messaging.manager.notifyAgent(sessionId);
    expect((await socket.next(isEndOfMessage)).payload['text']).toBe('Paid: {"amount":12}');
    await post({ amount: 13 });
    await platform.messaging.manager.notifyAgent(sessionId);
    socket.send('USER_MESSAGE', { text: 'thanks' });
    expect((await socket.next(isEndOfMessage)).payload['text']).toBe('message, 2 events');
    expect(platform.agent.turns.filter(({ kind }) => kind === 'event')).toHaveLength(1);
    expect(platform.agent.turns.at(-1)?.externalEvents?.[0]).toMatchObject({
      id: ID,
      name: 'payment',
      contentType: 'application/json',
      sendToLlm: false,
    });
  });

  it('notifies the agent of a timeout once', async () => {
    const { socket, sessionId } = await converse();
    socket.send('USER_MESSAGE', { text: 'pay' });
    await socket.next(isEndOfMessage);
    platform.clock.skip(60_000);
    expect((await socket.next(isEndOfMessage)).payload['text']).toBe('No payment.');
    await post('late');
    await platform.messaging.manager.notifyAgent(sessionId);
    socket.send('USER_MESSAGE', { text: 'and now?' });
    expect((await socket.next(isEndOfMessage)).payload['text']).toBe('message, 1 events');
  });

  it('notifies the agent of an event that arrived while it was speaking', async () => {
    const isPosted = createDoor();
    const { socket, sessionId } = await converse(async function* (turn) {
      for await (const action of cashier(turn)) {
        yield action;
        if (action.type === 'wait_for_event') await isPosted.opened;
      }
    });
    socket.send('USER_MESSAGE', { text: 'pay' });
    await socket.next('AGENT_THINKING');
    let stored = await post('early');
    while (stored === 'not_valid') stored = await post('early');
    await platform.messaging.manager.notifyAgent(sessionId);
    isPosted.open();
    expect((await socket.next(isEndOfMessage)).payload['text']).toContain(ID);
    expect((await socket.next(isEndOfMessage)).payload['text']).toBe('Paid: "early"');
  });

  it("notifies the agent on the session's next owner, even without a client", async () => {
    const { socket, sessionId, accessToken } = await converse();
    socket.send('USER_MESSAGE', { text: 'pay' });
    await socket.next(isEndOfMessage);
    await socket.close();
    // The unused session is released.
    await expect
      .poll(() => {
        platform.clock.skip(5_000);
        return platform.messaging.manager.get(sessionId);
      })
      .toBeUndefined();
    await post('while away');
    // The node's sweep finds the session.
    platform.clock.skip(2_000);
    const later = await platform.connect({ sessionId, accessToken }, '0');
    await later.next(({ payload }) => payload['text'] === 'Paid: "while away"');
  });

  it('does not answer an event twice when the node died during the answer', async () => {
    const isStuck = createDoor();
    const { socket, sessionId } = await converse(async function* (turn) {
      for await (const action of cashier(turn)) {
        yield action;
        if (turn.kind === 'event') await isStuck.opened;
      }
    });
    socket.send('USER_MESSAGE', { text: 'pay' });
    await socket.next(isEndOfMessage);
    await post('once');
    await platform.messaging.manager.notifyAgent(sessionId);
    await socket.next(({ payload }) => payload['text'] === 'Paid: "once"');
    const live = platform.messaging.manager.get(sessionId);
    live?.loseOwnership();
    platform.agent.script = cashier;
    await platform.messaging.manager.notifyAgent(sessionId);
    const notice = await socket.next('SYSTEM_MESSAGE');
    expect(notice.payload['message']).toBe('Sorry, I encountered an error. Please try again.');
    socket.send('USER_MESSAGE', { text: 'hm' });
    await socket.next(isEndOfMessage);
    expect(textOf(socket.events).filter((text) => text.startsWith('Paid'))).toHaveLength(1);
    isStuck.open();
  });

  it("does not notify the agent after the conversation's end", async () => {
    const { socket, sessionId } = await converse();
    socket.send('USER_MESSAGE', { text: 'pay' });
    await socket.next(isEndOfMessage);
    socket.send('USER_END_SESSION');
    await socket.next('SESSION_END');
    expect(await post('late')).toBe('not_valid');
    await platform.messaging.manager.notifyAgent(sessionId);
    expect(typesOf(socket.events).at(-1)).toBe('SESSION_END');
    const [row] = await platform.database.query<{ settled_at: number | null }>(
      'SELECT settled_at FROM external_waits',
    );
    expect(row?.settled_at).not.toBeNull();
  });

  it('fails the turn when the id is another conversation’s, and continues the chat', async () => {
    const { socket } = await converse();
    socket.send('USER_MESSAGE', { text: 'pay' });
    await socket.next(isEndOfMessage);
    const other = await platform.converse();
    other.socket.send('USER_MESSAGE', { text: 'pay' });
    expect((await other.socket.next('SYSTEM_MESSAGE')).payload['level']).toBe('SYSTEM_MESSAGE_LEVEL_ERROR');
    other.socket.send('USER_MESSAGE', { text: 'hm' });
    expect((await other.socket.next(isEndOfMessage)).payload['text']).toBe('message, 0 events');
  });
});

const RECEIVED = {
  id: ID,
  name: 'payment',
  contentType: 'text/plain',
  data: 'paid',
  sendToLlm: false,
  createdAt: '2026-07-14T09:20:00.000Z',
};

describe('what a node knows of the waits of a session', () => {
  const owner = { conversationId: 'CONV-1', sessionId: null, projectId: 'PROJECT-1' };

  /** A wait whose event has arrived, and a node that has not read it yet. */
  async function startReader(wrap: (database: Database) => Database = (database) => database) {
    const { database, close } = await EMBEDDED_ENGINE.open();
    const timers: number[] = [];
    const setTimer = (_callback: () => void, delayMs: number): (() => void) => {
      timers.push(delayMs);
      return () => void timers.splice(timers.indexOf(delayMs), 1);
    };
    const wait = { type: 'wait_for_event', name: 'payment', timeoutMs: 60_000, eventId: ID } as const;
    await startConversations(database, owner.projectId, [owner.conversationId]);
    const opened = await openWait(database, owner, wait, { nowMs: 0 });
    const { sessionId, epoch } = await addOwnedSession(database, await addTestConnector(database));
    const event = { eventId: ID, projectId: 'PROJECT-1', contentType: 'text/plain', data: 'paid' };
    await storeExternalEvent(database, event, 0);
    const session = createFakeSession({
      row: { id: sessionId, ownerEpoch: epoch, conversationId: owner.conversationId },
      connector: { projectId: owner.projectId },
      context: { database: wrap(database), clock: { now: () => 1, setTimer } },
    });
    const waits = new ExternalEventWaits(session, () => {});
    return { database, close, waits, opened, wait, event, timers };
  }

  it('notifies the agent once, however often the waits are read', async () => {
    const { waits, close } = await startReader();
    await waits.read();
    expect(waits.takeEnded().map(({ event }) => event.received?.data)).toEqual(['paid']);
    await waits.read();
    expect(waits.takeEnded()).toEqual([]);
    await close();
  });

  it('leaves a wait with a started answer to the next owner', async () => {
    const { database, waits, opened, close } = await startReader();
    await markWaitBegun(database, opened, 1);
    await waits.read();
    expect(waits.takeEnded()).toEqual([]);
    await close();
  });

  it('settles only the wait that the agent was notified of', async () => {
    const { waits, opened, close } = await startReader();
    const other = { ...opened, eventId: 'another event' };
    const later = { ...opened, round: opened.round + 1 };
    waits.load({ hasIds: true, waits: [opened, other, later], received: [] });
    waits.settle(other);
    waits.settle(later);
    expect(waits.ending).toBeDefined();
    waits.settle(opened);
    expect(waits.ending).toBeUndefined();
    await close();
  });

  it('ignores waits read before the session was released', async () => {
    const door = createDoor();
    const { waits, close } = await startReader((database) => ({
      ...database,
      async query(text, params, options) {
        await door.opened;
        return await database.query(text, params, options);
      },
    }));
    const reading = waits.read();
    waits.clear();
    door.open();
    await reading;
    expect(waits.takeEnded()).toEqual([]);
    await close();
  });

  it('matches an event to the wait with its id only', async () => {
    const { waits, opened, close } = await startReader();
    await waits.read();
    const received = waits.takeEnded().map(({ wait: { eventId } }) => eventId);
    expect(received).toEqual([ID]);
    const other = { ...opened, eventId: 'another event' };
    waits.load({ hasIds: true, waits: [other], received: [{ ...RECEIVED, ordinal: 9 }] });
    expect(waits.takeEnded()).toEqual([]);
    await close();
  });

  it('reads events for every turn once the conversation has ids, and not before', async () => {
    const { database, waits, opened, wait, event, close } = await startReader();
    expect(await waits.show()).toEqual([]);
    waits.load({ hasIds: true, waits: [], received: [] });
    expect((await waits.show()).map(({ data }) => data)).toEqual(['paid']);
    waits.clear();
    expect(await waits.show()).toEqual([]);
    await waits.open({ ...wait, eventId: opened.eventId });
    await storeExternalEvent(database, { ...event, data: 'paid again' }, 0);
    expect((await waits.show()).map(({ data }) => data)).toEqual(['paid', 'paid again']);
    await close();
  });

  it('schedules the next timeout, and none after the release', async () => {
    const { waits, opened, wait, timers, close } = await startReader();
    await waits.open(wait);
    expect(timers).toEqual([60_000]);
    const soon = { ...opened, eventId: 'soon', dueAtMs: 11 };
    const past = { ...opened, eventId: 'past', dueAtMs: 1 };
    waits.load({ hasIds: true, waits: [opened, soon, past], received: [] });
    expect(timers).toEqual([10]);
    waits.clear();
    expect(timers).toEqual([]);
    await close();
  });
});
