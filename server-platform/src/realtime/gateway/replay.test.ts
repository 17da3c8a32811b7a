import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EMBEDDED_ENGINE } from '../../../test/db/engines.ts';
import { readVectors } from '../../../test/realtime/read-vectors.ts';
import { createDoor, type Door } from '../../../test/realtime/scripted-agent.ts';
import {
  isEndOfMessage,
  startTestPlatform,
  type TestPlatform,
  type TestSession,
} from '../../../test/realtime/test-platform.ts';
import { type Frame, openTestSocket } from '../../../test/realtime/test-socket.ts';
import type { EventLog, LogPage } from '../event-log/index.ts';

interface ReplayCase {
  readonly name: string;
  readonly value: string | null;
  readonly last_sequence: number;
  readonly expect_replayed: readonly number[];
}
const { replay: replayCases } = readVectors<{ readonly replay: readonly ReplayCase[] }>('cursor.json');

const isLastBatch = ({ type, payload }: Frame): boolean =>
  type === 'EVENT_TYPE_EVENT_BATCH' && payload['has_more'] === false;
const sequences = (frames: readonly Frame[]): (number | null)[] => frames.map(({ sequence }) => sequence);

describe('replay', () => {
  let platform: TestPlatform;
  /** While set, log reads after the first event wait at this door. */
  let readDoor: Door | null = null;
  let waitingReads = 0;
  let readBytes: number[] = [];

  beforeAll(async () => {
    platform = await startTestPlatform(EMBEDDED_ENGINE, {
      wrapLog: (log: EventLog): EventLog => ({
        ...log,
        get queuedRows() {
          return log.queuedRows;
        },
        async readPage(sessionId, cursor, limit) {
          const found = await log.readPage(sessionId, cursor, limit);
          readBytes.push(Buffer.byteLength(JSON.stringify(found.events)));
          if (cursor > 0 && readDoor !== null) {
            waitingReads += 1;
            await readDoor.opened;
          }
          return found;
        },
      }),
    });
  });
  afterAll(() => platform.stop());

  /** Stores user messages until the session has `last` events. */
  async function fill(session: TestSession, last: number, text = 'x'): Promise<void> {
    const claimed = await platform.database.query<{ epoch: number }>(
      `UPDATE sessions SET owner_epoch = owner_epoch + 1, owner_node = NULL WHERE id = $1 RETURNING owner_epoch AS epoch`,
      [session.sessionId],
    );
    const events = Array.from({ length: last - 1 }, (_, index) => ({
      id: randomUUID(),
      type: 'EVENT_TYPE_USER_MESSAGE',
      payload: { text, message_id: `msg_${index}` },
      custom: null,
      timestampMs: 0,
    }));
    const epoch = claimed[0]?.epoch ?? 0;
    for (let start = 0; start < events.length; start += 500) {
      await platform.log.append({
        sessionId: session.sessionId,
        epoch,
        events: events.slice(start, start + 500),
      });
    }
  }

  describe('of the contract', () => {
    let ready: Map<number, TestSession>;
    beforeAll(async () => {
      ready = new Map();
      for (const last of new Set(replayCases.map((each) => each.last_sequence))) {
        const session = await platform.startSession();
        await fill(session, last);
        ready.set(last, session);
      }
    });

    it.each(replayCases.map((each) => [each.name, each] as const))('vector: %s', async (_name, each) => {
      const session = ready.get(each.last_sequence);
      if (session === undefined) throw new Error('no session');
      const socket = await platform.connect(session, each.value ?? undefined);
      await socket.next('SESSION_START');
      expect(sequences(socket.events)).toEqual(each.expect_replayed);
      expect(socket.frames[0]).toMatchObject({
        type: 'EVENT_TYPE_EVENT_BATCH',
        sequence: null,
        payload: { has_more: false, last_sequence: each.last_sequence },
      });
      await socket.close();
    });
  });

  it('starts every first replay batch with the same SESSION_START', async () => {
    const { socket, ...session } = await platform.converse();
    const again = await platform.connect(session, '4');
    await again.next('SESSION_START');
    expect(again.events[0]).toEqual(socket.events[0]);
    await Promise.all([socket.close(), again.close()]);
  });

  it('replays events as they were sent live, without transient ones', async () => {
    const { socket, ...session } = await platform.converse();
    const again = await platform.connect(session);
    await again.next(isEndOfMessage);
    expect(again.events).toEqual(socket.events.filter(({ sequence }) => sequence !== null));
    await Promise.all([socket.close(), again.close()]);
  });

  it('replays in batches of at most 200 events and 128 KB', async () => {
    const many = await platform.startSession();
    await fill(many, 450);
    const long = await platform.startSession();
    await fill(long, 12, 'é'.repeat(20_000));
    for (const [session, total] of [
      [many, 450],
      [long, 12],
    ] as const) {
      const ws = await openTestSocket(platform.socketUrl(session));
      const sizes: number[] = [];
      ws.ws.on('message', (data) => sizes.push(String(data).length));
      while (!ws.frames.some(isLastBatch)) await ws.next((frame) => frame.type === 'EVENT_TYPE_USER_MESSAGE');
      expect(sequences(ws.events)).toEqual(Array.from({ length: total }, (_, index) => index + 1));
      const batches = ws.frames.map(({ payload }) => payload);
      expect(batches.length).toBeGreaterThan(1);
      expect(batches.slice(0, -1).every((payload) => payload['has_more'] === true)).toBe(true);
      for (const frame of ws.frames) {
        expect((frame.payload['events'] as unknown[]).length).toBeLessThanOrEqual(200);
        expect(Buffer.byteLength(JSON.stringify(frame))).toBeLessThanOrEqual(131_072);
      }
      await ws.close();
    }
  });

  it('reads the log in frame-sized parts, the next one when the socket has accepted the last', async () => {
    const session = await platform.startSession();
    await fill(session, 120, 'x'.repeat(100_000));
    readBytes = [];
    const ws = await openTestSocket(platform.socketUrl(session));
    while (!ws.frames.some(isLastBatch)) await ws.next((frame) => frame.type === 'EVENT_TYPE_USER_MESSAGE');
    expect(sequences(ws.events)).toEqual(Array.from({ length: 120 }, (_, index) => index + 1));
    expect(Math.max(...readBytes)).toBeLessThan(150_000);
    await ws.close();
  });

  it('replays in order and loses no event that happens meanwhile', async () => {
    const { socket, ...session } = await platform.converse({ streaming_enabled: false });
    readDoor = createDoor();
    waitingReads = 0;
    const late = await platform.connect(session, '3');
    await expect.poll(() => waitingReads).toBe(1);
    for (const text of ['one', 'two', 'three']) {
      socket.send('USER_MESSAGE', { text });
      await socket.next((frame) => frame.payload['text'] === `You said: ${text}`);
    }
    late.send('HEARTBEAT');
    late.send('NO_SUCH_TYPE');
    expect(late.frames).toEqual([]);
    readDoor.open();
    readDoor = null;
    await late.next((frame) => frame.payload['text'] === 'You said: three');
    expect(late.frames[0]?.type).toBe('EVENT_TYPE_EVENT_BATCH');
    expect(late.frames[0]?.payload['events']).toHaveLength(2);
    const stored = sequences(late.events).filter((sequence) => sequence !== null);
    expect(stored).toEqual([1, 4, 5, 6, 7, 8, 9, 10]);
    // Frames may arrive after the door was opened.
    const answers = () => late.events.filter(({ type }) => /HEARTBEAT|SYSTEM_MESSAGE/.test(type));
    await expect.poll(answers).toHaveLength(2);
    await Promise.all([socket.close(), late.close()]);
  });

  it('resumes where a dropped socket stopped, in the middle of a stream', async () => {
    const { socket, ...session } = await platform.converse();
    const door = createDoor();
    platform.agent.script = async function* (turn) {
      yield { type: 'text', text: 'first part, ' };
      await door.opened;
      yield { type: 'text', text: `second part of ${turn.text}` };
    };
    socket.send('USER_MESSAGE', { text: 'it' });
    const part = await socket.next('AGENT_MESSAGE_CHUNK');
    socket.ws.terminate();
    const back = await platform.connect(session, String(part.sequence));
    await back.next('SESSION_START');
    door.open();
    const rest = await back.next(isEndOfMessage);
    expect(rest.payload).toMatchObject({
      message_id: part.payload['message_id'],
      chunk_index: 2,
      text: 'second part of it',
    });
    expect(sequences(back.events)).toEqual([1, (part.sequence ?? 0) + 1]);
    await back.close();
  });
});

describe('a page of the log that several sockets have read together', () => {
  let encodings = 0;
  let platform: TestPlatform;

  beforeAll(async () => {
    const pages = new Map<string, Promise<LogPage>>();
    platform = await startTestPlatform(EMBEDDED_ENGINE, {
      wrapLog: (log: EventLog): EventLog => ({
        ...log,
        get queuedRows() {
          return log.queuedRows;
        },
        readPage(sessionId, cursor, limit) {
          const key = `${sessionId} ${cursor} ${limit}`;
          const page = pages.get(key) ?? readCounted(log, sessionId, cursor, limit);
          pages.set(key, page);
          return page;
        },
      }),
    });
  });
  afterAll(() => platform.stop());

  async function readCounted(log: EventLog, ...[id, cursor, limit]: Parameters<EventLog['readPage']>) {
    const { events, hasMore } = await log.readPage(id, cursor, limit);
    const counted = events.map((event) => ({ ...event, payload: countEncodings(event.payload) }));
    return { events: counted, hasMore };
  }

  function countEncodings(payload: object): Record<string, unknown> {
    const encode = (): object => {
      encodings += 1;
      return payload;
    };
    return Object.defineProperty({ ...payload }, 'toJSON', { value: encode });
  }

  it('encodes a page of the log once for the sockets that have read it together', async () => {
    const session = await platform.startSession();
    const sockets = await Promise.all(Array.from({ length: 4 }, () => platform.connect(session)));
    const replayed = await Promise.all(sockets.map((socket) => socket.next('SESSION_START')));
    expect(replayed).toEqual(Array.from({ length: 4 }, () => replayed[0]));
    expect(encodings).toBe(1);
    for (const socket of sockets) await socket.close();
  });
});
