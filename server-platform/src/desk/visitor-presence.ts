import type { Sql } from '../db/index.ts';
import { isAway } from './board.ts';
import type { DeskRequest } from './requests.ts';

/** Presence of an open request's visitor; `idle`: the page is open but sends no frames. */
export type VisitorPresence =
  | { readonly status: 'here'; readonly sinceMs: null }
  | { readonly status: 'idle' | 'gone'; readonly sinceMs: number };

/**
 * A page with an open socket is idle after this long without a frame, heartbeats included, because it or its device
 * sleeps. Heartbeats come every 30 s, from hidden tabs every 60 s, and are stored at most 60 s late.
 */
export const IDLE_MS = 150_000;

/** Returns the presence of a request's visitor, or null if the request is over. `lastFrameMs` comes from {@link readLastFrames}. */
export function presenceOf(
  request: Pick<DeskRequest, 'leftAtMs' | 'endedAtMs'>,
  lastFrameMs: number | undefined,
  nowMs: number,
): VisitorPresence | null {
  if (request.endedAtMs !== null) return null;
  if (request.leftAtMs !== null && isAway(request, nowMs))
    return { status: 'gone', sinceMs: request.leftAtMs };
  if (lastFrameMs !== undefined && nowMs - lastFrameMs >= IDLE_MS)
    return { status: 'idle', sinceMs: lastFrameMs };
  return { status: 'here', sinceMs: null };
}

/** When the visitors of these sessions sent their last frame, by the id of the session. */
export async function readLastFrames(
  sql: Sql,
  sessionIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (sessionIds.length === 0) return new Map();
  const rows = await sql.query<{ readonly id: string; readonly last_activity: number }>(
    'SELECT id, last_activity FROM sessions WHERE id = ANY($1::uuid[])',
    [[...sessionIds]],
  );
  return new Map(rows.map((row) => [row.id, row.last_activity]));
}
