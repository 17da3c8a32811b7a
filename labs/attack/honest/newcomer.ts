import { PATIENCE } from '../../../e2e/patience.ts';
import type { AttackContext, StackInfo } from '../attack.ts';
import { createContext } from '../attackers/create-context.ts';
import { askForSession } from '../peers/ask-for-session.ts';
import { outcomeOf } from '../peers/hostile-http.ts';
import { join } from '../peers/hostile-session.ts';

const PATIENCE_MS = 10_000 * PATIENCE;

/**
 * A visitor who comes during an attack, from an address that has nothing to do with it: gets an access token, a session
 * and a socket. Resolves with what went wrong, or null.
 */
export async function tryNewcomer(stack: StackInfo, seed: number): Promise<string | null> {
  const { context, stop } = createContext({ stack, seed, isSmall: true, milliseconds: PATIENCE_MS });
  try {
    return await enter(context, `127.77.${Math.floor(seed / 250) % 250}.${1 + (seed % 250)}`);
  } finally {
    stop();
  }
}

async function enter(context: AttackContext, address: string): Promise<string | null> {
  const { honestToken } = context.stack;
  const { token, session, sessionId, accessToken } = await askForSession(context, honestToken, address);
  if (session === null) return `access token: ${outcomeOf(token)}`;
  if (sessionId === '') return `session: ${outcomeOf(session)}`;
  const { status, socket } = await join(context, { sessionId, accessToken });
  if (socket === null) return `socket: ${outcomeOf({ status })}`;
  await socket.waitForEvent('SESSION_START', PATIENCE_MS);
  const isIn = socket.frames > 0;
  await socket.leave();
  return isIn ? null : 'socket: no history';
}
