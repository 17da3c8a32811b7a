import { PATIENCE } from '../../../../e2e/patience.ts';
import type { Attack, AttackContext } from '../../attack.ts';
import { encodeEvent } from '../../peers/frames.ts';
import { signIn } from '../../peers/hostile-desk.ts';
import { ask, outcomeOf } from '../../peers/hostile-http.ts';
import { converse, startSession } from '../../peers/hostile-session.ts';

const VISITORS = { small: 2, full: 8 };
const QUESTIONS = { small: 4, full: 20 };
const QUESTION_BYTES = 100_000;
// The refill of section 16.
const QUESTION_EVERY_MS = 200;
const ANSWER_MS = 20_000 * PATIENCE;

const PATHS = [
  '/overview?hours=24',
  '/overview?hours=720',
  '/overview?hours=1',
  '/concurrency?hours=168&slice_by=variant',
  '/conversations?limit=100',
];

/** Visitors ask long questions that the agent cannot answer, while a supervisor reloads the overview without a pause. */
export const consoleOverview: Attack = {
  name: 'console-overview',
  summary: "asks long questions that the agent cannot answer, and for the console's overview without a pause",
  seconds: 15,
  allowed: [/^HTTP (?:200|429)$/, 'dropped'],
  required: ['HTTP 200'],
  async run(context) {
    const cookie = await signIn(context);
    const visitors = Array.from({ length: context.pick(VISITORS) }, (_, index) => question(context, index));
    await Promise.all(visitors);
    await context.repeat(8, { small: 40, full: 20_000 }, async (index) => {
      const path = PATHS[index % PATHS.length];
      const answer = await ask(context, {
        target: 'platform',
        method: 'GET',
        path: `/console/api${path}&project=${context.stack.attackerProject}`,
        headers: { 'X-Natter-Desk': '1', Cookie: cookie },
      });
      context.count(outcomeOf(answer));
      // The response says for how long; an attack does not wait.
      if (answer.status === 429) await context.pause(QUESTION_EVERY_MS);
    });
  },
};

/** A visitor whose every question has words that no other has. */
async function question(context: AttackContext, visitor: number): Promise<void> {
  const socket = await converse(context, await startSession(context));
  if (socket === null) return context.count('dropped');
  for (let sent = 0; sent < context.pick(QUESTIONS) && !context.signal.aborted; sent += 1) {
    let text = '';
    for (let word = 0; text.length < QUESTION_BYTES; word += 1) text += `q${visitor}x${sent}x${word} `;
    await socket.write(encodeEvent('USER_MESSAGE', { text }));
    await context.pause(QUESTION_EVERY_MS);
  }
  // The last one is answered, so the unanswered ones before it are on record.
  const seen = socket.frames;
  await socket.write(encodeEvent('USER_MESSAGE', { text: 'Hello?' }));
  await socket.socket.wait(() => socket.frames > seen + 1, ANSWER_MS);
  await socket.leave();
}
