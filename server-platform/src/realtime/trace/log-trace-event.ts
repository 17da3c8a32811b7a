import type { Logger } from 'pino';
import type { SessionTraceEvent } from './session-trace-event.ts';

/**
 * Logs the steps of a conversation at level `debug`: sockets, ownership, the join, turns, answers, commits, the end.
 * Frames are not logged; `natter-platform session show` lists them.
 */
export function logTraceEvent(logger: Logger, sessionId: string, event: SessionTraceEvent): void {
  const message = MESSAGES[event.kind];
  if (message === undefined) return;
  const { kind: _, ...fields } = event;
  logger.debug({ sessionId, ...fields }, message);
}

/** Events of other kinds are logged elsewhere or not at all. */
const MESSAGES: Readonly<Partial<Record<SessionTraceEvent['kind'], string>>> = {
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
