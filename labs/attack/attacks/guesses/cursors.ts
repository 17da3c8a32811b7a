import type { Attack } from '../../attack.ts';
import { countPlaces } from '../../peers/count-places.ts';
import { encodeEvent } from '../../peers/frames.ts';
import { converse, join, startSession } from '../../peers/hostile-session.ts';

const CURSORS = [
  '0',
  'seq:0',
  '1',
  '-1',
  '1e9',
  '9'.repeat(400),
  '0'.repeat(10_000),
  'seq:'.repeat(2_000),
  '9007199254740991',
  '',
  "0' OR 1",
] as const;
const MESSAGES = 18;

/** Handshakes that ask for a whole history again and again, with every kind of cursor. */
export const cursors: Attack = {
  name: 'cursors',
  summary: 'resumes a session again and again from the start, and from invalid cursors',
  allowed: ['101', '429', '503'],
  required: ['101', 'all 10 places'],
  async run(context) {
    const session = await startSession(context);
    const writer = await converse(context, session);
    const text = 'When does the ferry to Tarrow leave? '.repeat(20);
    for (let sent = 0; sent < MESSAGES; sent += 1) await writer?.write(encodeEvent('USER_MESSAGE', { text }));
    await context.pause(200);
    await writer?.leave();
    await context.repeat(6, { small: 66, full: 20_000 }, async (index) => {
      const cursor = CURSORS[index % CURSORS.length] ?? '0';
      const { status, socket } = await join(context, session, { cursor });
      context.count(String(status));
      if (socket === null) return;
      if (index % 3 !== 0) await socket.waitForEvent('EVENT_BATCH', 2_000);
      await socket.leave(index % 2 === 0 ? 'reset' : 'destroy');
    });
    await countPlaces(context, session);
  },
};
