import { afterAll, beforeAll, expect, it } from 'vitest';
import { EMBEDDED_ENGINE } from '../../../test/db/engines.ts';
import { startTestPlatform, type TestPlatform } from '../../../test/realtime/test-platform.ts';
import type { Database } from '../../db/index.ts';
import { eraseVisitorData, readVisitorData } from './visitor-data.ts';

const LETTERS = 90_000;
const MESSAGES = 6;

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform(EMBEDDED_ENGINE);
});
afterAll(() => platform.stop());

it("returns a visitor's data in page-sized pieces, however much it is", async () => {
  const { socket, sessionId } = await platform.converse();
  for (let count = 0; count < MESSAGES; count += 1)
    socket.send('USER_MESSAGE', { text: `${count} ${'x'.repeat(LETTERS)}` });
  await socket.next((frame) => frame.type === 'EVENT_TYPE_USER_MESSAGE' && isLast(frame.payload));
  const read = await readVisitorData(platform.database, platform.log, sessionId);
  const pieces: string[] = [];
  for await (const piece of read ?? []) pieces.push(piece);
  for (const piece of pieces) expect(piece.length).toBeLessThan(2 * LETTERS);
  const { events } = JSON.parse(pieces.join('')) as { events: { sequence: number; type: string }[] };
  expect(events.filter(({ type }) => type === 'EVENT_TYPE_USER_MESSAGE')).toHaveLength(MESSAGES);
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
});

const isLast = (payload: unknown): boolean => JSON.stringify(payload).includes(`"${MESSAGES - 1} x`);

it('erases a session with few statements, because everything else waits for the transaction', async () => {
  const { sessionId } = await platform.converse();
  let statements = 0;
  const counting: Database = {
    ...platform.database,
    tx: (body) =>
      platform.database.tx((sql) =>
        body({
          ...sql,
          query: (...of) => {
            statements += 1;
            return sql.query(...of);
          },
        }),
      ),
  };
  const removed = await eraseVisitorData(counting, sessionId);
  expect(removed?.counts).toMatchObject({ sessions: 1, conversations: 1 });
  expect(statements).toBeLessThan(7);
});
