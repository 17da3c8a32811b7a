import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { describeStorage } from '../../../test/db/describe-storage.ts';
import { createDoor } from '../../../test/realtime/scripted-agent.ts';
import { createSkippingClock } from '../../../test/realtime/skipping-clock.ts';
import { holdChat, insertChat, lockChat, prolongHold, releaseChat } from './chat-store.ts';
import { ConversationLock } from './conversation-lock.ts';

const ID = 'CONV-1';

describeStorage('the lock of a conversation', (engine) => {
  it("lets two nodes hold a conversation one after the other, and releases a dead node's hold (3.4)", async () => {
    const { database, close } = await engine.open();
    const clock = createSkippingClock();
    const failures: unknown[] = [];
    const lockOf = (node: string): ConversationLock =>
      new ConversationLock({ database, clock, node, onFailure: (_what, error) => failures.push(error) });
    const chat = {
      conversationId: ID,
      projectId: 'PROJECT-1',
      connectorId: randomUUID(),
      status: 'open',
      agent: 'ada',
      variantId: null,
      language: 'en',
      integrationAttributes: null,
      agentState: {},
      lastActivityMs: 0,
    } as const;
    await insertChat(database, chat);
    const steps: string[] = [];
    const door = createDoor();
    const entered = createDoor();
    const first = lockOf('a').runExclusive(ID, async () => {
      entered.open();
      await door.opened;
      steps.push('a');
    });
    await entered.opened;
    const second = lockOf('b').runExclusive(ID, async () => {
      steps.push('b');
    });
    expect(await holdChat(database, ID, 'c', 1)).toBe(false);
    door.open();
    await Promise.all([first, second]);
    expect(steps).toEqual(['a', 'b']);

    await holdChat(database, ID, 'dead', -1);
    await lockOf('b').runExclusive(ID, async () => {
      steps.push('b again');
    });
    expect(steps.at(-1)).toBe('b again');
    expect(failures).toEqual([]);

    // A suspended node notices that it lost the lock, even if the node that took it has released it.
    await holdChat(database, ID, 'still', -1);
    expect(await lockChat(database, ID, 'still')).toBe('locked');
    await lockOf('b').runExclusive(ID, async () => {
      await prolongHold(database, ID, 'still', 10_000);
      expect(await lockChat(database, ID, 'still')).toBe('lost');
      expect(await lockChat(database, ID, 'b')).toBe('locked');
    });
    await prolongHold(database, ID, 'still', 10_000);
    expect(await lockChat(database, ID, 'still')).toBe('lost');
    await releaseChat(database, ID, 'still');
    expect(await lockChat(database, 'CONV-unknown', 'still')).toBe('missing');
    await close();
  });

  it('refuses a call when eight are already waiting for the conversation', async () => {
    const { database, close } = await engine.open();
    const clock = createSkippingClock();
    const lock = new ConversationLock({ database, clock, node: 'a', onFailure: () => {} });
    const door = createDoor();
    const calls = Array.from({ length: 9 }, () => lock.runExclusive(ID, () => door.opened));
    await expect(lock.runExclusive(ID, async () => {})).rejects.toMatchObject({ status: 429 });
    await lock.runExclusive('CONV-2', async () => {});
    door.open();
    await Promise.all(calls);
    await lock.runExclusive(ID, async () => {});
    await close();
  });

  it("passes an error on and lets the conversation's next call run (3.4)", async () => {
    const { database, close } = await engine.open();
    const lock = new ConversationLock({
      database,
      clock: createSkippingClock(),
      node: 'a',
      onFailure: () => {},
    });
    const refused = lock.runExclusive('CONV-unknown', () => Promise.reject(new Error('no')));
    const next = lock.runExclusive('CONV-unknown', async () => 'in');
    await expect(refused).rejects.toThrow('no');
    expect(await next).toBe('in');
    await close();
  });
});
