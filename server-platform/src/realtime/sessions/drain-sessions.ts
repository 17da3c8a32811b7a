import { BatchLoader } from '../../db/index.ts';
import { sleep } from '../../kit/clock.ts';
import type { MessagingContext } from '../messaging-context.ts';
import { releaseSessions } from '../ownership/index.ts';
import type { Session } from './session.ts';

/** How a node hands its sessions over. */
export interface DrainOptions {
  /** The sessions are handed over one by one, spread over this time, or longer when there are many. */
  readonly windowMs: number;
  /**
   * How long the turn of a session may run on, from the moment at which the session is handed over. Everything together
   * takes no longer than the window and the grace.
   */
  readonly graceMs: number;
  /** Closes the connections of a session: their clients come back to another node, which may acquire it at once. */
  readonly closeConnections: (sessionId: string) => Promise<void>;
}

// Sessions that share a statement.
const RELEASES_AT_ONCE = 100;
// A second for so many sessions: other nodes let clients in at twice this rate beside their other work.
const SESSIONS_PER_SECOND = 100;

/** How long the hand-over of so many sessions is spread: at least the window, at most half of the whole time. */
export function spreadOf(
  sessions: number,
  { windowMs, graceMs }: Omit<DrainOptions, 'closeConnections'>,
): number {
  const wantedMs = Math.floor(sessions / SESSIONS_PER_SECOND) * 1_000;
  return Math.max(windowMs, Math.min(wantedMs, (windowMs + graceMs) / 2));
}

/**
 * Hands all sessions over: each finishes its turn, is released in the database, and leaves `sessions`; then its connections
 * close. A session whose release fails closes its connections all the same, and the first such error is thrown at the end.
 */
export async function drainSessions(
  { clock, database, lease }: Pick<MessagingContext, 'clock' | 'database' | 'lease'>,
  sessions: Map<string, Session>,
  { windowMs, graceMs, closeConnections }: DrainOptions,
): Promise<void> {
  const releases = new BatchLoader<readonly [id: string, epoch: number], null>({
    async read(released) {
      await releaseSessions(database, lease.node, new Map(released));
      return released.map(() => null);
    },
    maxKeys: RELEASES_AT_ONCE,
  });
  const spreadMs = spreadOf(sessions.size, { windowMs, graceMs });
  const handOver = async (session: Session): Promise<void> => {
    const afterMs = Math.random() * spreadMs;
    await sleep(clock, afterMs);
    const leftMs = windowMs + graceMs - afterMs;
    await Promise.race([session.finishTurns(), sleep(clock, Math.min(graceMs, leftMs))]);
    const { id, epoch } = session;
    try {
      await session.release();
      if (epoch !== null) await releases.get([id, epoch]);
    } finally {
      sessions.delete(id);
      await closeConnections(id);
    }
  };
  const outcomes = await Promise.allSettled([...sessions.values()].map(handOver));
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
