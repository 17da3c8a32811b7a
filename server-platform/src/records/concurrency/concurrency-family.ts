import {
  type Concurrency,
  type ConcurrencyQuery,
  concurrencyGetOperation,
  concurrencyQuerySchema,
} from '@natter/sdk';
import { type Project, writeAccountId } from '../../accounts/index.ts';
import type { RestFamily, RestServices } from '../../api/rest/index.ts';
import { projectRoute, RestError } from '../../api/rest/index.ts';
import { findConcurrency, type Peak } from './find-concurrency.ts';
import { INTERVAL_MS } from './sweep.ts';

/** Number of concurrent conversations over time. Source: section 5. */
export function createConcurrencyFamily(services: RestServices): RestFamily {
  const route = projectRoute(
    {
      operation: concurrencyGetOperation,
      permissions: ['conversations', 'analytics'],
      projectFrom: 'path',
      query: concurrencyQuerySchema,
    },
    async ({ account, project, query, hasVendorNames }): Promise<Concurrency> => ({
      account_id: writeAccountId(account.id, hasVendorNames),
      project_id: project.id,
      intervals: await readConcurrency(services, project, query),
    }),
  );
  return { routes: [route] };
}

/** Reads the peaks of a project, as one of the account's expensive searches. Refuses with a `RestError`. */
export async function readConcurrency(
  { database, clock, searchInShare }: Pick<RestServices, 'database' | 'clock' | 'searchInShare'>,
  project: Project,
  query: ConcurrencyQuery,
): Promise<Concurrency['intervals']> {
  const slice = query.slice_by;
  if (slice === 'language' || slice === 'phone_number') {
    throw new RestError(501, 'NOT_IMPLEMENTED', `slice_by ${slice} is not implemented`);
  }
  const range = {
    projectId: project.id,
    environment: query.client_env,
    fromMs: Math.floor(query.start_time / INTERVAL_MS) * INTERVAL_MS,
    toMs: Math.ceil(query.end_time / INTERVAL_MS) * INTERVAL_MS,
    nowMs: clock.now(),
    variantId: query.variant_id,
    variantName: query.variant_name,
    language: query.language,
    phoneNumber: query.phone_number,
    isByVariant: slice === 'variant',
  };
  const peaks = await searchInShare(project.accountId, () => findConcurrency(database, range));
  return peaks.map((peak) => writeInterval(peak, query));
}

function writeInterval(peak: Peak, query: ConcurrencyQuery): Concurrency['intervals'][number] {
  const { language, phone_number, slice_by } = query;
  return {
    // Marks are whole seconds.
    time: `${new Date(peak.atMs).toISOString().slice(0, 19)}Z`,
    max_concurrent_conversations: peak.peak,
    ...(slice_by === 'variant' && { variant_id: peak.variantId, variant_name: peak.variantName }),
    ...(language !== undefined && { language }),
    ...(phone_number !== undefined && { phone_number }),
  };
}
