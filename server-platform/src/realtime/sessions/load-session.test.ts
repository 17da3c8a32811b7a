import { randomUUID } from 'node:crypto';
import { SYSTEM_TEXTS } from 'natter/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EMBEDDED_ENGINE, type TestDatabase } from '../../../test/db/engines.ts';
import { addOwnedSession, addTestConnector, testEvent, testMessage } from '../../../test/db/fixtures.ts';
import type { Database, SqlValue } from '../../db/index.ts';
import { type AppendEffects, createEventLog, type EventLog, type NewEvent } from '../event-log/index.ts';
import { DEFAULT_MESSAGING_LIMITS } from '../messaging-limits.ts';
import { type LoadedSession, readInput, readSession } from './load-session.ts';

const chunk = (messageId: string, text: string, isComplete = false): NewEvent =>
  testEvent({ payload: { message_id: messageId, text, is_complete: isComplete } });
const event = (type: string, payload: NewEvent['payload'] = {}): NewEvent =>
  testEvent({ type: `EVENT_TYPE_${type}`, payload });
const systemMessage = (message: string): NewEvent => event('SYSTEM_MESSAGE', { message });

describe('a session that is read back from its log', () => {
  let place: TestDatabase;
  let log: EventLog;
  let connectorId: string;
  beforeAll(async () => {
    place = await EMBEDDED_ENGINE.open();
    log = createEventLog(place.database);
    connectorId = await addTestConnector(place.database);
  });
  afterAll(() => place.close());

  type Step = NewEvent | { readonly events: readonly NewEvent[]; readonly effects: AppendEffects };

  /** Writes a log and loads it as the next owner does. */
  async function readBack(...steps: readonly Step[]): Promise<LoadedSession> {
    const { sessionId, epoch } = await addOwnedSession(place.database, connectorId);
    for (const step of steps) {
      const request = 'events' in step ? step : { events: [step] };
      expect((await log.append({ sessionId, epoch, ...request })).status).toBe('appended');
    }
    return await readSession(
      place.database,
      log,
      { id: sessionId, conversationId: null, lastSequence: 9 },
      DEFAULT_MESSAGING_LIMITS,
    );
  }

  it('reads nothing from a log that holds only SESSION_START', async () => {
    const row = { id: randomUUID(), conversationId: null, lastSequence: 1 };
    const noDatabase = {} as Database;
    const read = await readSession(noDatabase, createEventLog(noDatabase), row, DEFAULT_MESSAGING_LIMITS);
    const { history, ...rest } = read;
    const { history: _, ...stored } = await readBack();
    expect(history.hasUserMessage).toBe(false);
    expect({ ...rest, loggedBytes: stored.loggedBytes }).toEqual(stored);
  });

  it('restores whether the agent has joined and not left', async () => {
    const [joined, left] = [event('AGENT_JOINED'), event('AGENT_LEFT')];
    const has = async (...steps: readonly Step[]): Promise<boolean> =>
      (await readBack(...steps)).hasAgentJoined;
    expect(await has()).toBe(false);
    expect(await has(joined)).toBe(true);
    expect(await has(joined, left)).toBe(false);
    expect(await has(joined, left, { ...joined, id: randomUUID() })).toBe(true);
  });

  it('restores waiting turns with the events that caused them', async () => {
    const [greeting, message, done] = [randomUUID(), randomUUID(), randomUUID()];
    const { waiting, interrupted, history } = await readBack(
      { events: [event('REQUEST_AGENT_JOIN')], effects: { queueTurn: { id: greeting } } },
      { events: [testMessage('draft-1')], effects: { queueTurn: { id: message } } },
      { events: [testMessage('draft-2')], effects: { queueTurn: { id: done } } },
      { events: [], effects: { endTurn: { id: done } } },
    );
    expect(waiting).toMatchObject([
      { id: greeting, kind: 'greeting', messageId: null, inputSequence: 2, isInLog: true },
      { id: message, kind: 'message', messageId: 'msg_1', inputSequence: 3, isInLog: true },
    ]);
    expect(interrupted).toEqual([]);
    expect(history.hasUserMessage).toBe(true);
  });

  it('reads the text of an input only when its turn starts', async () => {
    const { sessionId, epoch } = await addOwnedSession(place.database, connectorId);
    const payload = { message_id: 'msg_1', text: 'A zero: \0' };
    const message = testEvent({ type: 'EVENT_TYPE_USER_MESSAGE', payload, custom: { page: '/fares' } });
    await log.append({ sessionId, epoch, events: [message], effects: { queueTurn: { id: randomUUID() } } });
    const { waiting } = await readSession(
      place.database,
      log,
      { id: sessionId, conversationId: null, lastSequence: 9 },
      DEFAULT_MESSAGING_LIMITS,
    );
    const [turn] = waiting;
    if (turn === undefined) throw new Error('No turn waits.');
    const read = await readInput(log, sessionId, turn);
    expect(read).toMatchObject({ messageId: 'msg_1', text: payload.text, custom: { page: '/fares' } });
    expect(read).not.toHaveProperty('isInLog');
  });

  it('loads a session with a fraction of the bytes of its waiting inputs', async () => {
    const { sessionId, epoch } = await addOwnedSession(place.database, connectorId);
    const text = 'ä'.repeat(63_000);
    for (let input = 0; input < DEFAULT_MESSAGING_LIMITS.maxWaitingTurns; input += 1) {
      const message = testMessage(`draft-${input}`);
      const events = [{ ...message, payload: { ...message.payload, text } }];
      await log.append({ sessionId, epoch, events, effects: { queueTurn: { id: randomUUID() } } });
    }
    let readCharacters = 0;
    const counting: Database = {
      ...place.database,
      async query<Row extends object>(statement: string, parameters?: readonly SqlValue[]) {
        const rows = await place.database.query<Row>(statement, parameters);
        readCharacters += JSON.stringify(rows).length;
        return rows;
      },
    };
    const { waiting } = await readSession(
      counting,
      createEventLog(counting),
      { id: sessionId, conversationId: null, lastSequence: 9 },
      DEFAULT_MESSAGING_LIMITS,
    );
    expect(waiting).toHaveLength(DEFAULT_MESSAGING_LIMITS.maxWaitingTurns);
    expect(readCharacters).toBeLessThan(524_288);
  });

  it('restores interrupted turns with the text so far', async () => {
    const [answered, silent] = [randomUUID(), randomUUID()];
    const begun = (id: string, messageId: string): AppendEffects => ({
      beginTurn: { id, messageId, startedAtMs: 7 },
    });
    const { waiting, interrupted, hasOrphanStream } = await readBack(
      { events: [testMessage('draft-1')], effects: { queueTurn: { id: answered } } },
      { events: [testMessage('draft-2')], effects: { queueTurn: { id: silent } } },
      chunk('msg_other', 'Another answer.', true),
      { events: [chunk('msg_a', 'At ')], effects: begun(answered, 'msg_a') },
      chunk('msg_a', 'noon'),
      { events: [], effects: begun(silent, 'msg_b') },
    );
    expect(waiting).toEqual([]);
    expect(interrupted).toMatchObject([
      { input: { id: answered }, answerText: 'At noon', startedAtMs: 7 },
      { input: { id: silent }, answerText: '', startedAtMs: 7 },
    ]);
    // The answer belongs to a stored turn.
    expect(hasOrphanStream).toBe(false);
  });

  it('detects an answer without a turn that neither ended nor was declared interrupted (STR-3)', async () => {
    const isOrphan = async (...steps: readonly Step[]): Promise<boolean> =>
      (await readBack(...steps)).hasOrphanStream;
    expect(await isOrphan()).toBe(false);
    expect(await isOrphan(chunk('msg_a', 'At '))).toBe(true);
    expect(await isOrphan(chunk('msg_a', 'At '), chunk('msg_a', 'noon.', true))).toBe(false);
    expect(await isOrphan(chunk('msg_a', 'At '), systemMessage(SYSTEM_TEXTS.streamBroken))).toBe(false);
    expect(await isOrphan(chunk('msg_a', 'At '), systemMessage('Be patient.'))).toBe(true);
    expect(
      await isOrphan(chunk('msg_a', 'At '), event('AGENT_LEFT', { message: SYSTEM_TEXTS.streamBroken })),
    ).toBe(true);
  });

  it('restores an open survey and the reason for the coming end (TBD-3)', async () => {
    const asked = event('SHOW_CSAT_REQUEST', { survey_id: 'survey_1' });
    expect((await readBack(event('AGENT_JOINED'))).survey).toBeNull();
    expect((await readBack(asked, event('AGENT_LEFT'))).survey).toMatchObject({
      id: 'survey_1',
      reason: 'REASON_NATURAL_END',
    });
    expect((await readBack(event('USER_END_SESSION'), { ...asked, id: randomUUID() })).survey).toMatchObject({
      reason: 'REASON_USER_END',
    });
  });

  it('restores only the most recent messages of a log of any length', async () => {
    const { sessionId, epoch } = await addOwnedSession(place.database, connectorId);
    for (let number = 0; number < 100; number += 1)
      await log.append({
        sessionId,
        epoch,
        events: [
          event('USER_MESSAGE', { text: `${number} ${'x'.repeat(120_000)}\u0000`, message_id: `m${number}` }),
        ],
      });
    await log.append({ sessionId, epoch, events: [event('AGENT_MESSAGE', { text: 'Last.' })] });
    let bytes = 0;
    const counted: typeof place.database = {
      ...place.database,
      query: async (...args) => {
        const rows = await place.database.query<never>(...args);
        bytes += JSON.stringify(rows).length;
        return rows;
      },
    };
    const session = { id: sessionId, conversationId: null, lastSequence: 9 };
    const { history } = await readSession(
      counted,
      createEventLog(counted),
      session,
      DEFAULT_MESSAGING_LIMITS,
    );
    const entries = history.entriesBefore(Number.POSITIVE_INFINITY);
    expect(entries.at(-1)).toEqual({ author: 'agent', text: 'Last.' });
    expect(entries.at(-2)?.text.slice(0, 5)).toBe('99 xx');
    expect(history.hasUserMessage).toBe(true);
    expect(bytes).toBeLessThan(300_000);
  });
});
