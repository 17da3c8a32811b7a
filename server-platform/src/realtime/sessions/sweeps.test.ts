import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EMBEDDED_ENGINE } from '../../../test/db/engines.ts';
import { startTestPlatform, type TestPlatform } from '../../../test/realtime/test-platform.ts';

const MINUTE_MS = 60_000;
// Beyond the exact range of numbers, so the row cannot be read.
const UNREADABLE = '9007199254740993';

describe('the sweeps over sessions', () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await startTestPlatform(EMBEDDED_ENGINE, { limits: { pingIntervalMs: 86_400_000 } });
  });
  afterAll(() => platform.stop());

  const statesOf = async (ids: readonly string[]): Promise<readonly unknown[]> =>
    (
      await platform.database.query<{ state: string }>(
        'SELECT s.state FROM unnest($1::uuid[]) WITH ORDINALITY AS t (id, ix) JOIN sessions s USING (id) ORDER BY ix',
        [ids],
      )
    ).map(({ state }) => state);

  it('expires every idle session except an unreadable one, which it reports', async () => {
    const bad = await platform.startSession();
    platform.clock.skip(1_000);
    const good = [await platform.startSession(), await platform.startSession()];
    await platform.database.query(
      `UPDATE sessions SET created_at = ${UNREADABLE}, last_activity = last_activity - 60000 WHERE id = $1`,
      [bad.sessionId],
    );
    platform.clock.skip(11 * MINUTE_MS);
    await expect.poll(() => statesOf(good.map(({ sessionId }) => sessionId))).toEqual(['expired', 'expired']);
    expect(platform.failures.some((line) => line.startsWith('expire a session:'))).toBe(true);
    await platform.database.query('UPDATE sessions SET created_at = 0 WHERE id = $1', [bad.sessionId]);
    platform.clock.skip(11 * MINUTE_MS);
    await expect.poll(() => statesOf([bad.sessionId])).toEqual(['expired']);
  });

  it('closes only the sockets of a session that another process erased', async () => {
    const [erased, old] = [await platform.converse(), await platform.converse()];
    const live = platform.messaging.manager.get(erased.sessionId);
    expect(live?.isOwned).toBe(true);
    await platform.database.query(
      `INSERT INTO erasures (session_id, erased_at)
       SELECT id, at FROM unnest($1::uuid[], $2::bigint[]) AS t (id, at)`,
      [
        [erased.sessionId, old.sessionId],
        [Date.now(), Date.now() - 2 * MINUTE_MS],
      ],
    );
    platform.clock.skip(1_000);
    expect(await erased.socket.closed).toEqual({ code: 4001, reason: 'session deleted' });
    expect(platform.messaging.manager.get(erased.sessionId)).toBeUndefined();
    expect(live?.isOwned).toBe(false);
    expect(platform.messaging.manager.get(old.sessionId)).toBeDefined();
    old.socket.send('HEARTBEAT');
    await old.socket.next('HEARTBEAT');
    await old.socket.close();
  });

  it('resumes every interrupted turn except that of an unreadable session', async () => {
    const sessions = [await platform.startSession(), await platform.startSession()];
    const ids = sessions.map(({ sessionId }) => sessionId);
    await platform.database.query(
      `INSERT INTO turns (id, session_id, ordinal, input_sequence, queued_at, started_at, message_id)
       SELECT gen_random_uuid(), id, 1, 1, ix, 1, 'msg_1'
         FROM unnest($1::uuid[]) WITH ORDINALITY AS t (id, ix)`,
      [ids],
    );
    await platform.database.query(
      `UPDATE sessions SET created_at = CASE WHEN id = $1 THEN ${UNREADABLE} ELSE created_at END,
              last_sequence = 2, last_turn = 1, conversation_status = 'running' WHERE id = ANY($2::uuid[])`,
      [ids[0] ?? '', ids],
    );
    platform.clock.skip(10_000);
    await expect
      .poll(() => platform.database.query('SELECT session_id FROM turns'))
      .toEqual([{ session_id: ids[0] }]);
    await platform.database.query('DELETE FROM turns WHERE session_id = $1', [ids[0] ?? '']);
  });
});
