import { randomUUID } from 'node:crypto';
import { SYSTEM_TEXTS } from 'natter/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AppendEffects, createEventLog, type EventLog, type NewEvent } from '../../db/index.ts';
import { EMBEDDED_ENGINE, type TestDatabase } from '../../db/testing/engines.ts';
import { addOwnedSession, addTestConnector, testEvent, testMessage } from '../../db/testing/fixtures.ts';
import { type LoadedSession, readSession } from './load-session.ts';

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

  /** Writes a log and reads it back, as the next owner does. */
  async function readBack(...steps: readonly Step[]): Promise<LoadedSession> {
    const { sessionId, epoch } = await addOwnedSession(place.database, connectorId);
    for (const step of steps) {
      const request = 'events' in step ? step : { events: [step] };
      expect((await log.append({ sessionId, epoch, ...request })).status).toBe('appended');
    }
    return await readSession(place.database, log, { id: sessionId, conversationId: null });
  }

  it('has an agent that joined and has not left since', async () => {
    const [joined, left] = [event('AGENT_JOINED'), event('AGENT_LEFT')];
    const has = async (...steps: readonly Step[]): Promise<boolean> =>
      (await readBack(...steps)).hasAgentJoined;
    expect(await has()).toBe(false);
    expect(await has(joined)).toBe(true);
    expect(await has(joined, left)).toBe(false);
    expect(await has(joined, left, { ...joined, id: randomUUID() })).toBe(true);
  });

  it('has the turns that wait, with what asked for them', async () => {
    const [greeting, message, done] = [randomUUID(), randomUUID(), randomUUID()];
    const { waiting, interrupted, history } = await readBack(
      { events: [event('REQUEST_AGENT_JOIN')], effects: { queueTurn: { id: greeting } } },
      { events: [testMessage('draft-1')], effects: { queueTurn: { id: message } } },
      { events: [testMessage('draft-2')], effects: { queueTurn: { id: done } } },
      { events: [], effects: { endTurn: { id: done } } },
    );
    expect(waiting).toMatchObject([
      { id: greeting, kind: 'greeting', text: '', messageId: null, inputSequence: 2, custom: null },
      {
        id: message,
        kind: 'message',
        text: 'When does the ferry leave?',
        messageId: 'msg_1',
        inputSequence: 3,
        custom: { client_event_id: 'draft-1' },
      },
    ]);
    expect(interrupted).toEqual([]);
    expect(history.hasUserMessage).toBe(true);
  });

  it('has the turns whose answer broke off, with what was said', async () => {
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
    // Its turn is on record.
    expect(hasOrphanStream).toBe(false);
  });

  it('has an answer without a turn that neither ended nor was declared broken (STR-3)', async () => {
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

  it('has the survey that is open, and why the session is about to end (TBD-3)', async () => {
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
});
