import { type DeskRoute, deskRoute } from './desk-call.ts';
import { DeskError } from './desk-error.ts';
import { serviceLevelsView } from './desk-schemas.ts';
import { isTimezone } from './opening-hours.ts';
import { listQueues } from './queues.ts';
import { readServiceLevels } from './service-levels.ts';

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 7;
const MOST_DAYS = 366;
const DEFAULT_WITHIN_SECONDS = 60;

/** The calls of supervisors about how soon people answer. */
export const SERVICE_LEVEL_ROUTES: readonly DeskRoute[] = [
  deskRoute(
    {
      ...{ id: 'deskServiceLevels', method: 'GET', path: '/service-levels', role: 'supervisor' },
      summary:
        'Waiting and handling times, and what was answered within so many seconds or abandoned: in total, by queue, and by hour or day. Query: from, to (ISO times; the last 7 days), queue_id, within_seconds (60), timezone (UTC).',
      answer: serviceLevelsView,
    },
    async ({ server, person, query }) => {
      const toMs = readTime(query, 'to') ?? server.clock.now();
      const fromMs = readTime(query, 'from') ?? toMs - DEFAULT_DAYS * DAY_MS;
      if (fromMs >= toMs || toMs - fromMs > MOST_DAYS * DAY_MS)
        throw invalid(`from must be before to, by at most ${MOST_DAYS} days`);
      const withinSeconds = Number(query.get('within_seconds') ?? DEFAULT_WITHIN_SECONDS);
      if (!Number.isInteger(withinSeconds) || withinSeconds < 1 || withinSeconds > 86_400)
        throw invalid('within_seconds must be a whole number from 1 to 86400');
      const timezone = query.get('timezone') ?? 'UTC';
      if (!isTimezone(timezone)) throw invalid('timezone must be a name such as Europe/London');
      const queueId = query.get('queue_id');
      const queues = await listQueues(server.database, person.accountId);
      if (queueId !== null && !queues.some(({ id }) => id === queueId))
        throw new DeskError(404, 'NOT_FOUND', 'There is no such queue: see queues of the inbox.');
      const { accountId } = person;
      return await readServiceLevels(server.database, {
        ...{ accountId, fromMs, toMs, queueId, withinSeconds, timezone },
      });
    },
  ),
];

function readTime(query: URLSearchParams, name: string): number | null {
  const text = query.get(name);
  if (text === null) return null;
  const atMs = Date.parse(text);
  if (Number.isNaN(atMs)) throw invalid(`${name} must be a time such as 2026-07-01T00:00:00Z`);
  return atMs;
}

function invalid(message: string): DeskError {
  return new DeskError(400, 'INVALID', message);
}
