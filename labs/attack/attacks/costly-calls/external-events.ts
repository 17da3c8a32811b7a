import { PATIENCE } from '../../../../e2e/patience.ts';
import type { Attack, AttackContext } from '../../attack.ts';
import { encodeEvent } from '../../peers/frames.ts';
import { outcomeOf } from '../../peers/hostile-http.ts';
import { converse, startSession } from '../../peers/hostile-session.ts';
import type { HostileWebSocket } from '../../peers/hostile-web-socket.ts';
import { postEvent } from '../../peers/post-event.ts';

const VISITORS = { small: 1, full: 8 };
const POSTS = { small: 130, full: 20_000 };
const ANSWER_MS = 15_000 * PATIENCE;
const LARGE_BYTES = 1_000_000;

/** Another system that floods the events which visitors' conversations wait for, with small and large ones, known ids and none. */
export const externalEvents: Attack = {
  name: 'external-events',
  summary:
    'posts events without end, of a megabyte and of nothing, for ids that agents wait for and for none',
  allowed: [/^HTTP (?:201|400|429)$/],
  required: ['HTTP 201', 'HTTP 400', 'HTTP 429'],
  async run(context) {
    const waiting = await Promise.all(Array.from({ length: context.pick(VISITORS) }, () => pay(context)));
    await context.repeat(8, POSTS, async (index) => {
      const id = index % 16 === 15 ? `evt_${index}` : waiting[index % waiting.length]?.id;
      const padding = index % 32 === 0 ? 'x'.repeat(LARGE_BYTES) : '';
      const body = JSON.stringify({ id, padding });
      context.count(outcomeOf(await postEvent(context, 'application/json', body)));
    });
    for (const { socket } of waiting) await socket.leave();
  },
};

/** A visitor whose agent waits for an event, and the event's id. */
async function pay(
  context: AttackContext,
): Promise<{ readonly socket: HostileWebSocket; readonly id: string }> {
  const socket = await converse(context, await startSession(context));
  if (socket === null) throw new Error('The visitor was not let in.');
  await socket.write(encodeEvent('USER_MESSAGE', { text: 'I want to pay my balance' }));
  const find = (received: string): string | undefined => /evt_\w{8,}/.exec(received)?.[0];
  await socket.socket.wait((received) => find(received) !== undefined, ANSWER_MS);
  const id = find(socket.socket.received);
  if (id === undefined) throw new Error('The agent gave out no id.');
  return { socket, id };
}
