import { parseTime } from '@natter/sdk';
import { isTimeZone } from '../../kit/time-zone.ts';
import { DeskError, HEAVY_COST } from '../../staff/index.ts';
import { listQueues } from '../queues.ts';
import { readServiceLevels } from '../service-levels.ts';
import { type DeskRoute, deskRoute } from './desk-call.ts';
import { serviceLevelsView } from './desk-schemas.ts';

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 7;
const MOST_DAYS = 90;
const DEFAULT_WITHIN_SECONDS = 60;

/** The calls of supervisors about how soon people answer. */
export const SERVICE_LEVEL_ROUTES: readonly DeskRoute[] = [
  deskRoute(
    {
      ...{ id: 'deskServiceLevels', method: 'GET', path: '/service-levels', role: 'supervisor' },
      cost: HEAVY_COST,
      summary:
        'Waiting and handling times, times to the first answer, shares answered in time or abandoned, and satisfaction: in total, by queue, and by hour or day; how conversations ended; the last comments. Query: from, to (ISO times, 90 days apart at most; the last 7 days), queue_id, within_seconds (60), timezone (UTC).',
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
      if (!isTimeZone(timezone))
        throw invalid('timezone must be a name of the IANA list such as Europe/London, or UTC');
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
  const atMs = parseTime(text);
  if (atMs === null) throw invalid(`${name} must be a time such as 2026-07-01T00:00:00Z`);
  return atMs;
}

function invalid(message: string): DeskError {
  return new DeskError(400, 'INVALID', message);
}
