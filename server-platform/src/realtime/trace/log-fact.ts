import type { Logger } from 'pino';
import type { SessionFact } from './session-fact.ts';

/**
 * Logs a step of a conversation at level `debug`: sockets, ownership, the join, turns, answers, commits, the end. Frames have
 * no lines: `natter-platform session show` has them.
 */
export function logFact(logger: Logger, sessionId: string, fact: SessionFact): void {
  const message = MESSAGES[fact.kind];
  if (message === undefined) return;
  const { kind: _, ...fields } = fact;
  logger.debug({ sessionId, ...fields }, message);
}

/** Other kinds are logged elsewhere at other levels, or not at all. */
const MESSAGES: Readonly<Partial<Record<SessionFact['kind'], string>>> = {
  socket_opened: 'a socket opened',
  socket_closed: 'a socket closed',
  acquired: 'this node writes the session',
  released: 'this node no longer writes the session',
  joined: 'a conversation began',
  committed: 'events are stored',
  turn_started: 'a turn began',
  turn_ended: 'a turn ended',
  ended: 'a session ended',
};
