import { PATIENCE } from '../../../../e2e/patience.ts';
import type { Attack, AttackContext } from '../../attack.ts';
import { encodeEvent } from '../../peers/frames.ts';
import { callDesk, signIn } from '../../peers/hostile-desk.ts';
import { converse, startSession } from '../../peers/hostile-session.ts';

const VISITORS = { small: 20, full: 400 };
const LANES = 8;
const WAIT_MS = 15_000 * PATIENCE;
// A hundred requests, the people and the queues.
const MAX_INBOX_CHARACTERS = 100_000;

/** Visitors who ask for a person, and are gone before one comes. */
export const deskLine: Attack = {
  name: 'desk-line',
  summary: 'asks for a person in hundreds of sessions, and closes the sockets',
  seconds: 40,
  allowed: ['asked', 'handshake refused'],
  required: ['asked', 'inbox within the limit'],
  async run(context) {
    await context.repeat(LANES, VISITORS, () => askAndLeave(context));
    const cookie = await signIn(context);
    const { body } = await callDesk(context, 'GET /inbox', { cookie });
    const isBounded = body.length < MAX_INBOX_CHARACTERS;
    context.count(isBounded ? 'inbox within the limit' : `an inbox of ${body.length} characters`);
  },
};

async function askAndLeave(context: AttackContext): Promise<void> {
  const socket = await converse(context, await startSession(context));
  if (socket === null) return context.count('handshake refused');
  await socket.write(encodeEvent('USER_MESSAGE', { text: 'Can I speak to a person?' }));
  await socket.waitForEvent('AGENT_TRIGGERED_HANDOFF', WAIT_MS);
  context.count('asked');
  await socket.leave();
}
