import { clientEnvironmentSchema } from '@natter/sdk';
import * as v from 'valibot';
import { readConcurrency } from '../records/concurrency/index.ts';
import { overviewView, readOverview } from '../records/overview/index.ts';
import { HEAVY_COST } from '../staff/index.ts';
import { type ConsoleRoute, consoleRoute } from './console-call.ts';

const HOUR_MS = 3_600_000;
/** The ranges, in hours, and the intervals that they are counted in. */
const BUCKET_MS: Readonly<Record<string, number>> = {
  '1': HOUR_MS / 12,
  '24': HOUR_MS,
  '168': 6 * HOUR_MS,
  '720': 24 * HOUR_MS,
};
// The REST family takes a week at most.
const MAX_CONCURRENCY_HOURS = 168;

const scope = {
  hours: v.optional(v.picklist(Object.keys(BUCKET_MS), 'must be one of: 1, 24, 168, 720'), '24'),
  client_env: v.optional(clientEnvironmentSchema, 'live'),
  variant_id: v.optional(v.string()),
};

/** The calls of the overview. */
export const OVERVIEW_ROUTES: readonly ConsoleRoute[] = [
  consoleRoute(
    {
      ...{ id: 'consoleOverview', method: 'GET', path: '/overview', cost: HEAVY_COST },
      summary: 'Volume, hand-offs, latency, ratings and unanswered questions of the last hours.',
      query: v.object({ ...scope, language: v.optional(v.string()) }),
      answer: overviewView,
    },
    async ({ server, findProject, query }) => {
      const toMs = server.clock.now();
      const project = await findProject();
      const fromMs = toMs - Number(query.hours) * HOUR_MS;
      const bucketMs = BUCKET_MS[query.hours] ?? HOUR_MS;
      return await readOverview(server.database, {
        projectId: project.id,
        showsWords: project.conversations.showTranscripts,
        environment: query.client_env,
        ...{ fromMs, toMs, bucketMs },
        variantId: query.variant_id ?? null,
        language: query.language ?? null,
      });
    },
  ),
  consoleRoute(
    {
      ...{ id: 'consoleConcurrency', method: 'GET', path: '/concurrency', cost: HEAVY_COST },
      summary: 'The most conversations at the same time, per 5 minutes, of a week at most.',
      query: v.object({ ...scope, slice_by: v.optional(v.picklist(['variant'], 'must be variant')) }),
    },
    async ({ server, findProject, query }) => {
      const toMs = server.clock.now();
      const hours = Math.min(Number(query.hours), MAX_CONCURRENCY_HOURS);
      const { client_env, variant_id, slice_by } = query;
      const range = { start_time: toMs - hours * HOUR_MS, end_time: toMs };
      const filters = { client_env, variant_id, slice_by };
      return {
        intervals: await readConcurrency(server, await findProject(), { ...range, ...filters }),
      };
    },
  ),
];
