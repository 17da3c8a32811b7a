import { afterEach, describe, expect, it, vi } from 'vitest';
import { EMBEDDED_ENGINE } from '../../../test/db/engines.ts';
import { createDoor } from '../../../test/realtime/scripted-agent.ts';
import { startTestPlatform, type TestPlatform } from '../../../test/realtime/test-platform.ts';
import type { TestSocket } from '../../../test/realtime/test-socket.ts';
import { NO_PEERS } from '../bus/index.ts';
import type { AppendRequest, EventLog } from '../event-log/index.ts';

describe('messages that come while others are being stored', () => {
  let platform: TestPlatform;
  /** Types of the requested appends in order, the pending ones, and the requests so far. */
  let asked: string[];
  let holding: Promise<void> | null = null;
  afterEach(async () => {
    holding = null;
    await platform.stop();
  });

  async function start(options: Parameters<typeof startTestPlatform>[1] = {}): Promise<void> {
    asked = [];
    platform = await startTestPlatform(EMBEDDED_ENGINE, {
      ...options,
      wrapLog: (log: EventLog): EventLog => ({
        ...log,
        get queuedRows() {
          return log.queuedRows;
        },
        async append(request: AppendRequest) {
          asked.push(...request.events.map(({ type }) => type.replace('EVENT_TYPE_', '')));
          if (holding !== null) await holding;
          return await log.append(request);
        },
      }),
    });
  }

  const say = (socket: TestSocket, ...texts: string[]): void => {
    for (const text of texts) socket.send('USER_MESSAGE', { text }, { local_id: text });
  };
  const messagesIn = (types: readonly string[]): number =>
    types.filter((type) => type === 'USER_MESSAGE').length;
  const textsOf = (socket: TestSocket, type: string): readonly unknown[] =>
    socket.events
      .filter((event) => event.type === `EVENT_TYPE_${type}`)
      .map(({ payload }) => payload['text']);

  it('stores messages without waiting for earlier commits, and echoes and answers them in order', async () => {
    await start();
    const { socket } = await platform.converse({ streaming_enabled: false });
    const door = createDoor();
    holding = door.opened;
    say(socket, 'one', 'two', 'three');
    await vi.waitFor(() => expect(messagesIn(asked)).toBe(3));
    holding = null;
    door.open();
    await socket.next(({ payload }) => payload['text'] === 'You said: three');
    expect(textsOf(socket, 'USER_MESSAGE')).toEqual(['one', 'two', 'three']);
    expect(textsOf(socket, 'AGENT_MESSAGE').slice(-3)).toEqual([
      'You said: one',
      'You said: two',
      'You said: three',
    ]);
  });

  it('counts messages being stored as waiting, and runs other commands after them', async () => {
    await start({ limits: { maxWaitingTurns: 2 } });
    const { socket } = await platform.converse({ streaming_enabled: false });
    const door = createDoor();
    holding = door.opened;
    say(socket, 'one', 'two');
    await vi.waitFor(() => expect(messagesIn(asked)).toBe(2));
    say(socket, 'three');
    socket.send('USER_END_SESSION');
    holding = null;
    door.open();
    await socket.closed;
    expect(messagesIn(asked)).toBeLessThanOrEqual(3);
    expect(asked.indexOf('USER_END_SESSION')).toBeGreaterThan(asked.lastIndexOf('USER_MESSAGE'));
    expect(textsOf(socket, 'USER_MESSAGE').slice(0, 2)).toEqual(['one', 'two']);
  });

  it('keeps the order of messages when another node owned the session in between', async () => {
    await start({ peers: { ...NO_PEERS, isShared: true } });
    const { socket, sessionId } = await platform.converse({ streaming_enabled: false });
    const door = createDoor();
    holding = door.opened;
    say(socket, 'one', 'two', 'three');
    await vi.waitFor(() => expect(messagesIn(asked)).toBe(3));
    // The lease is released again.
    await platform.database.query(
      "UPDATE sessions SET owner_node = 'gone', owner_node_epoch = 0, owner_epoch = owner_epoch + 1 WHERE id = $1",
      [sessionId],
    );
    holding = null;
    door.open();
    await socket.next(({ payload }) => payload['text'] === 'You said: three');
    expect(textsOf(socket, 'USER_MESSAGE')).toEqual(['one', 'two', 'three']);
    const stored = await platform.database.query(
      "SELECT payload ->> 'text' AS text FROM events WHERE session_id = $1 AND type = 'EVENT_TYPE_USER_MESSAGE' ORDER BY sequence",
      [sessionId],
    );
    expect(stored.map(({ text }) => text)).toEqual(['one', 'two', 'three']);
  });

  it('stores the ends of turns without text a moment later', async () => {
    await start();
    const { socket } = await platform.converse({ streaming_enabled: false });
    platform.agent.script = async function* () {};
    say(socket, 'one', 'two');
    await socket.next(({ payload }) => payload['text'] === 'two');
    await expect.poll(() => platform.database.query('SELECT id FROM turns')).toEqual([]);
    expect(
      await platform.database.query(
        "SELECT user_input, agent_response FROM conversation_turns WHERE kind = 'message' ORDER BY ordinal",
      ),
    ).toEqual([
      { user_input: 'one', agent_response: '' },
      { user_input: 'two', agent_response: '' },
    ]);
  });
});
