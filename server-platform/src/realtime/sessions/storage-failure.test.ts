import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EMBEDDED_ENGINE } from '../../../test/db/engines.ts';
import { createDoor, echoScript } from '../../../test/realtime/scripted-agent.ts';
import {
  isEndOfMessage,
  startTestPlatform,
  type TestPlatform,
} from '../../../test/realtime/test-platform.ts';
import { typesOf } from '../../../test/realtime/test-socket.ts';
import { DatabaseError } from '../../db/index.ts';
import type { AppendRequest, EventLog } from '../event-log/index.ts';
import { acquireNodeLease, releaseNodeLease } from '../ownership/index.ts';

describe('when storing fails', () => {
  let platform: TestPlatform;
  /** Decides the outcome of the next append. */
  let fault: ((request: AppendRequest, store: () => Promise<unknown>) => Promise<never> | null) | null = null;

  beforeAll(async () => {
    platform = await startTestPlatform(EMBEDDED_ENGINE, {
      wrapLog: (log: EventLog): EventLog => ({
        ...log,
        get queuedRows() {
          return log.queuedRows;
        },
        append(request) {
          const failure = fault?.(request, () => log.append(request)) ?? null;
          if (failure === null) return log.append(request);
          fault = null;
          return failure;
        },
      }),
    });
  });
  afterAll(() => platform.stop());
  beforeEach(() => {
    fault = null;
    platform.agent.script = echoScript;
  });

  const ofType = (type: string, request: AppendRequest): boolean =>
    request.events.some((event) => event.type === `EVENT_TYPE_${type}`);

  it('echoes nothing after a failed write, closes the socket with 1011 and accepts the draft again', async () => {
    const { socket, ...session } = await platform.converse({ streaming_enabled: false });
    fault = (request) =>
      ofType('USER_MESSAGE', request) ? Promise.reject(new DatabaseError('unavailable', 'gone')) : null;
    socket.send('USER_MESSAGE', { text: 'hi' }, { local_id: 'draft' });
    expect((await socket.closed).code).toBe(1011);
    expect(typesOf(socket.events)).not.toContain('USER_MESSAGE');
    const back = await platform.connect(session, '4');
    back.send('USER_MESSAGE', { text: 'hi' }, { local_id: 'draft' });
    expect((await back.next(isEndOfMessage)).payload['text']).toBe('You said: hi');
    await back.close();
  });

  it('repeats the first echo for a draft whose write succeeded but was reported as failed', async () => {
    const { socket, ...session } = await platform.converse({ streaming_enabled: false });
    fault = (request, store) =>
      ofType('USER_MESSAGE', request)
        ? store().then(() => Promise.reject(new DatabaseError('unavailable', 'no answer')))
        : null;
    socket.send('USER_MESSAGE', { text: 'hi' }, { local_id: 'draft' });
    expect((await socket.closed).code).toBe(1011);
    const back = await platform.connect(session, '4');
    const replayed = await back.next('USER_MESSAGE');
    back.send('USER_MESSAGE', { text: 'hi' }, { local_id: 'draft' });
    expect(await back.next('USER_MESSAGE')).toEqual(replayed);
    // Its turn was queued in the same commit and resumes with the session.
    const all = await platform.connect(session);
    await all.next(({ payload }) => payload['text'] === 'You said: hi');
    expect(typesOf(all.events).filter((type) => type === 'USER_MESSAGE')).toHaveLength(1);
    await Promise.all([back.close(), all.close()]);
  });

  it('continues the conversation with the error text when storing part of an answer fails', async () => {
    const { socket, ...session } = await platform.converse();
    const begun = createDoor();
    platform.agent.script = async function* () {
      yield { type: 'text', text: 'one ' };
      await begun.opened;
      yield { type: 'text', text: 'two' };
    };
    let chunks = 0;
    fault = (request) => {
      if (!ofType('AGENT_MESSAGE_CHUNK', request)) return null;
      chunks += 1;
      return chunks === 2 ? Promise.reject(new DatabaseError('unavailable', 'gone')) : null;
    };
    socket.send('USER_MESSAGE', { text: 'hi' });
    await socket.next('AGENT_MESSAGE_CHUNK');
    begun.open();
    expect((await socket.closed).code).toBe(1011);
    const back = await platform.connect(session);
    expect((await back.next('SYSTEM_MESSAGE')).payload['message']).toBe(
      'Sorry, I encountered an error. Please try again.',
    );
    platform.agent.script = echoScript;
    back.send('USER_MESSAGE', { text: 'again' });
    expect((await back.next(isEndOfMessage)).payload['text']).toBe('You said: again');
    await back.close();
  });

  it('answers a question whose answer could not be stored, without a client', async () => {
    const { socket, sessionId } = await platform.converse({ streaming_enabled: false });
    fault = (request) =>
      ofType('AGENT_MESSAGE', request) ? Promise.reject(new DatabaseError('unavailable', 'gone')) : null;
    socket.send('USER_MESSAGE', { text: 'hi' });
    expect((await socket.closed).code).toBe(1011);
    const said = async () =>
      (await platform.log.readAfter(sessionId, 0, 100)).map(({ payload }) => payload['text']);
    await expect.poll(said).toContain('You said: hi');
  });

  it('closes the socket with 1013 under overload, and loses nothing', async () => {
    const { socket, ...session } = await platform.converse({ streaming_enabled: false });
    fault = (request) =>
      ofType('USER_MESSAGE', request) ? Promise.reject(new DatabaseError('overloaded', 'too much')) : null;
    socket.send('USER_MESSAGE', { text: 'hi' }, { local_id: 'draft' });
    expect((await socket.closed).code).toBe(1013);
    const back = await platform.connect(session, '4');
    back.send('USER_MESSAGE', { text: 'hi' }, { local_id: 'draft' });
    expect((await back.next(isEndOfMessage)).payload['text']).toBe('You said: hi');
    await back.close();
  });

  it('keeps a session open whose end could not be stored, and lets it be ended again', async () => {
    const { socket, ...session } = await platform.converse({ streaming_enabled: false });
    fault = (request) =>
      ofType('SESSION_END', request) ? Promise.reject(new DatabaseError('unavailable', 'gone')) : null;
    socket.send('USER_END_SESSION');
    expect((await socket.closed).code).toBe(1011);
    const back = await platform.connect(session, '4');
    back.send('USER_MESSAGE', { text: 'hi' });
    expect((await back.next(isEndOfMessage)).payload['text']).toBe('You said: hi');
    back.send('USER_END_SESSION');
    await back.next('SESSION_END');
    expect((await back.closed).code).toBe(1000);
  });

  it('closes the socket with 1013 when overload prevents storing an answer, and answers again', async () => {
    const { socket, ...session } = await platform.converse({ streaming_enabled: false });
    const failuresBefore = platform.failures.length;
    fault = (request) =>
      ofType('AGENT_MESSAGE', request) ? Promise.reject(new DatabaseError('overloaded', 'too much')) : null;
    socket.send('USER_MESSAGE', { text: 'hi' });
    expect((await socket.closed).code).toBe(1013);
    const back = await platform.connect(session, '4');
    expect((await back.next(isEndOfMessage)).payload['text']).toBe('You said: hi');
    expect(typesOf(back.events).filter((type) => type === 'USER_MESSAGE')).toHaveLength(1);
    const failures = platform.failures.slice(failuresBefore);
    expect(failures).toEqual([expect.stringContaining('too much')]);
    await back.close();
  });

  it("ends a session on the user's second request when overload prevented the first", async () => {
    const { socket, ...session } = await platform.converse({ streaming_enabled: false });
    fault = (request) =>
      ofType('SESSION_END', request) ? Promise.reject(new DatabaseError('overloaded', 'too much')) : null;
    socket.send('USER_END_SESSION');
    expect((await socket.closed).code).toBe(1013);
    const back = await platform.connect(session, '4');
    back.send('USER_MESSAGE', { text: 'still there?' });
    expect((await back.next(isEndOfMessage)).payload['text']).toBe('You said: still there?');
    back.send('USER_END_SESSION');
    expect((await back.next('SESSION_END')).payload).toEqual({ reason: 'REASON_USER_END' });
    await back.closed;
  });

  it('reports a session that cannot be read to the sender, and keeps the socket (12.1, SYS-3)', async () => {
    const { socket, ...session } = await platform.converse({ streaming_enabled: false });
    fault = (request) =>
      ofType('USER_MESSAGE', request) ? Promise.reject(new DatabaseError('unavailable', 'gone')) : null;
    socket.send('USER_MESSAGE', { text: 'hi' });
    // This node releases the session: the client is notified before the socket closes.
    expect((await socket.next('SYSTEM_MESSAGE')).payload['message']).toBe(
      'Error: Unable to retrieve session',
    );
    expect((await socket.closed).code).toBe(1011);
    const back = await platform.connect(session);
    await back.next('AGENT_JOINED');
    const failuresBefore = platform.failures.length;
    await platform.database.query('ALTER TABLE turns RENAME TO turns_away');
    for (const text of ['one', 'two']) {
      back.send('USER_MESSAGE', { text }, { local_id: text });
      expect(await back.next('SYSTEM_MESSAGE')).toMatchObject({
        sequence: null,
        payload: { level: 'SYSTEM_MESSAGE_LEVEL_ERROR', message: 'Error: Unable to retrieve session' },
        metadata: { custom: { local_id: text } },
      });
    }
    await platform.database.query('ALTER TABLE turns_away RENAME TO turns');
    back.send('USER_MESSAGE', { text: 'two' }, { local_id: 'two' });
    expect((await back.next(isEndOfMessage)).payload['text']).toBe('You said: two');
    // Where it takes longer, the recovery of sessions looks for the table, too.
    const failures = platform.failures.slice(failuresBefore).filter((each) => !each.startsWith('recover '));
    expect(failures).toEqual([
      expect.stringContaining('read a session'),
      expect.stringContaining('read a session'),
    ]);
    await back.close();
  });

  it('writes nothing while another node owns the session', async () => {
    const { socket, ...session } = await platform.converse({ streaming_enabled: false });
    const other = await acquireNodeLease(platform.database, 'other', 3_600_000);
    await platform.database.query(
      `UPDATE sessions SET owner_node = 'other', owner_node_epoch = $2, owner_epoch = owner_epoch + 1 WHERE id = $1`,
      [session.sessionId, other.epoch],
    );
    for (const text of ['one', 'two']) {
      socket.send('USER_MESSAGE', { text }, { local_id: text });
      const refusal = socket.next('SYSTEM_MESSAGE');
      // Simulates the wait of a claim for a lease to expire.
      const waiting = setInterval(() => platform.clock.skip(2_000), 50);
      expect((await refusal).payload['message']).toBe('Error: Unable to retrieve session');
      clearInterval(waiting);
    }
    await releaseNodeLease(platform.database, other);
    socket.send('USER_MESSAGE', { text: 'three' });
    expect((await socket.next(isEndOfMessage)).payload['text']).toBe('You said: three');
    await socket.close();
  });
});
