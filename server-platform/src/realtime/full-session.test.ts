import { SYSTEM_TEXTS } from 'natter/protocol';
import { afterEach, expect, it } from 'vitest';
import { EMBEDDED_ENGINE } from '../../test/db/engines.ts';
import { startTestPlatform, type TestPlatform } from '../../test/realtime/test-platform.ts';

let platform: TestPlatform;
afterEach(() => platform.stop());

const DROPPED = { level: 'SYSTEM_MESSAGE_LEVEL_WARNING', message: SYSTEM_TEXTS.rateLimited };

it('refuses messages to a session with a full log, but lets it be ended; other sessions continue', async () => {
  platform = await startTestPlatform(EMBEDDED_ENGINE, { limits: { sessionBytes: 20_000 } });
  const { socket } = await platform.converse();
  socket.send('USER_MESSAGE', { text: 'x'.repeat(20_000) });
  await socket.next('USER_MESSAGE');
  socket.send('USER_MESSAGE', { text: 'one more' });
  expect((await socket.next('SYSTEM_MESSAGE')).payload).toMatchObject(DROPPED);
  const other = (await platform.converse()).socket;
  other.send('USER_MESSAGE', { text: 'hello' });
  await other.next('USER_MESSAGE');
  socket.send('USER_END_SESSION', {});
  await socket.next('SESSION_END');
  const [row] = await platform.database.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM events WHERE payload::text LIKE '%one more%'`,
  );
  expect(row?.count).toBe(0);
});

it('warns an address that has used up its hourly bytes, and drops its frames', async () => {
  platform = await startTestPlatform(EMBEDDED_ENGINE, { limits: { addressBytesPerHour: 5_000 } });
  const { socket } = await platform.converse();
  socket.send('USER_MESSAGE', { text: 'x'.repeat(4_000) });
  await socket.next('USER_MESSAGE');
  socket.send('USER_MESSAGE', { text: 'x'.repeat(4_000) });
  expect((await socket.next('SYSTEM_MESSAGE')).payload).toMatchObject(DROPPED);
  socket.send('USER_MESSAGE', { text: 'short' });
  await socket.next(({ payload }) => payload['text'] === 'short');
});
