import { BatchLoader } from '../../db/index.ts';
import { sleep } from '../../kit/clock.ts';
import type { MessagingContext } from '../messaging-context.ts';
import { releaseSessions } from '../ownership/index.ts';
import type { Session } from './session.ts';

/** Time limits for releasing a node's sessions at shutdown. */
export interface DrainOptions {
  /** The releases are spread over this time, or longer when there are many sessions. */
  readonly windowMs: number;
  /** How long a turn may continue once its session's release has begun. The drain takes at most window plus grace. */
  readonly graceMs: number;
  /** Closes a session's connections. Clients reconnect to another node, which may acquire the session at once. */
  readonly closeConnections: (sessionId: string) => Promise<void>;
}

// Sessions released per statement.
const RELEASES_AT_ONCE = 100;
// Other nodes accept clients at twice this rate beside their other work.
const SESSIONS_PER_SECOND = 100;

/** Returns over how long the releases are spread: at least the window, at most half of the total time. */
export function spreadOf(
  sessions: number,
  { windowMs, graceMs }: Omit<DrainOptions, 'closeConnections'>,
): number {
  const wantedMs = Math.floor(sessions / SESSIONS_PER_SECOND) * 1_000;
  return Math.max(windowMs, Math.min(wantedMs, (windowMs + graceMs) / 2));
}

/**
 * Releases all sessions: each finishes its turn, is released in the database, and is removed from `sessions`; then its
 * connections close. If a release fails, the session's connections close anyway, and the first such error is thrown at
 * the end.
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
