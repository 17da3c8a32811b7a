import type { AttackContext } from '../attack.ts';
import { type HostileSession, type Joined, join } from './hostile-session.ts';

const PLACES = 10;
const TRIES = 20;
const PAUSE_MS = 250;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Counts `all 10 places` when a session admits as many sockets as WS-3 gives it and refuses the next one, at the latest
 * after five seconds; otherwise the number of places that were left.
 */
export async function countPlaces(context: AttackContext, session: HostileSession): Promise<void> {
  let left = 0;
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const joined: Joined[] = [];
    for (let place = 0; place <= PLACES; place += 1) joined.push(await join(context, session));
    left = joined.filter(({ status }) => status === 101).length;
    await Promise.all(joined.map(({ socket }) => socket?.leave()));
    if (left === PLACES && joined.at(-1)?.status === 429) {
      context.count('all 10 places');
      return;
    }
    await pause(PAUSE_MS);
  }
  context.count(`only ${left} places`);
}
