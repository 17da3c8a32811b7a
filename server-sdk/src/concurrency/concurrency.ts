import * as v from 'valibot';
import { type ClientEnvironment, clientEnvironmentSchema } from '../conversations/conversations-query.ts';
import type { ProjectCallOptions } from '../http/call-options.ts';
import { type ClientCore, checkQuery, projectPath } from '../http/client-core.ts';
import { encodeQuery, type TimeInput } from '../http/encode-query.ts';
import type { Operation } from '../http/operation.ts';
import { readJson } from '../http/read-answer.ts';
import { integer, listOf, moment, oneOf, requestTime, text } from '../schema/fields.ts';
import { isRecord } from '../schema/is-record.ts';
import { dropNulls, objectOf, type Schema, tolerant } from '../schema/object-of.ts';
import { projectPathParameters } from '../schema/path-ids.ts';
import { queryFault } from '../schema/query-fault.ts';

/** What to measure. Source: section 5. */
export interface ConcurrencyRequest {
  /** Rounded down to a mark of 5 minutes. */
  readonly start_time: TimeInput;
  /** Rounded up; at most 7 days after `start_time`. */
  readonly end_time: TimeInput;
  /** `live` when absent. */
  readonly client_env?: ClientEnvironment | undefined;
  readonly variant_id?: string | undefined;
  /** Not together with `variant_id`. */
  readonly variant_name?: string | undefined;
  readonly language?: string | undefined;
  /** The agent's number. */
  readonly phone_number?: string | undefined;
  /** One series per variant. The platform answers 501 to the other two. */
  readonly slice_by?: 'variant' | 'language' | 'phone_number' | undefined;
}

/** The query as the platform reads it; times in milliseconds, not rounded. */
export interface ConcurrencyQuery extends Omit<ConcurrencyRequest, 'start_time' | 'end_time' | 'client_env'> {
  readonly start_time: number;
  readonly end_time: number;
  readonly client_env: ClientEnvironment;
}

/** The most conversations that were open at the same instant of 5 minutes. */
export interface ConcurrencyInterval {
  /** Lower bound, UTC. */
  readonly time: string;
  readonly max_concurrent_conversations: number;
  readonly variant_id?: string | undefined;
  readonly variant_name?: string | undefined;
  readonly language?: string | undefined;
  readonly phone_number?: string | undefined;
}

/** A dense series: zeros are there too. Source: CC-1. */
export interface Concurrency {
  readonly account_id: string;
  readonly project_id: string;
  readonly intervals: readonly ConcurrencyInterval[];
}

/** Longest range, measured before rounding. Source: section 5. */
export const CONCURRENCY_MAX_RANGE_MS = 604_800_000;

/** Schema of the query. */
export const concurrencyQuerySchema: Schema<ConcurrencyQuery> = v.pipe(
  objectOf('ConcurrencyQuery', 'What to measure.', {
    start_time: requestTime('Begin; rounded down to a mark of 5 minutes.'),
    end_time: requestTime('End; rounded up. At most 7 days after the begin.'),
    client_env: v.optional(clientEnvironmentSchema, 'live'),
    variant_id: v.optional(text('Variant by its id.')),
    variant_name: v.optional(text('Variant by its name; not with `variant_id`.')),
    language: v.optional(text('Exact language tag.')),
    phone_number: v.optional(text("The agent's number.")),
    slice_by: v.optional(
      oneOf('One series each; `language` and `phone_number` are answered with 501.', [
        'variant',
        'language',
        'phone_number',
      ]),
    ),
  }),
  queryFault((given) => {
    if (given.end_time <= given.start_time) return { field: 'end_time', message: 'must be after start_time' };
    if (given.end_time - given.start_time > CONCURRENCY_MAX_RANGE_MS) {
      return { field: 'end_time', message: 'must be at most 7 days after start_time' };
    }
    if (given.variant_id === undefined || given.variant_name === undefined) return null;
    return { field: 'variant_name', message: 'must not be combined with variant_id' };
  }),
);

const OPTIONAL_FIELDS = ['variant_id', 'variant_name', 'language', 'phone_number'];

/** Schema of the answer. */
export const concurrencySchema: Schema<Concurrency> = objectOf('Concurrency', 'A dense series.', {
  account_id: text('Account id with its prefix.'),
  project_id: text('Project id with its prefix.'),
  intervals: listOf(
    'One interval per 5 minutes, by time, then by variant.',
    objectOf('ConcurrencyInterval', 'Five minutes.', {
      time: moment('Lower bound, UTC.'),
      max_concurrent_conversations: integer('The most that were open at the same instant.', 0),
      variant_id: v.optional(text('Variant of the series.')),
      variant_name: v.optional(text('Its name.')),
      language: v.optional(text('Language that was filtered by.')),
      phone_number: v.optional(text('Number that was filtered by.')),
    }),
  ),
});

// Nulls count as absent.
const concurrencyReader: Schema<Concurrency> = tolerant(concurrencySchema, (raw) =>
  isRecord(raw) && Array.isArray(raw['intervals'])
    ? { ...raw, intervals: raw['intervals'].map((interval: unknown) => dropNulls(interval, OPTIONAL_FIELDS)) }
    : raw,
);

/** `GET …/conversations/concurrency`. Source: section 5. */
export const concurrencyGetOperation: Operation = {
  id: 'concurrencyGet',
  family: 'concurrency',
  service: 'runtime',
  method: 'GET',
  path: '/v1/{account_id}/{project_id}/conversations/concurrency',
  summary: 'The most conversations at the same time, per 5 minutes.',
  keyHeader: 'x-api-key',
  needsConnectorToken: false,
  repeatability: 'always',
  pathParameters: projectPathParameters,
  query: concurrencyQuerySchema,
  success: { status: 200, description: 'The series.', schema: concurrencySchema },
  errors: [400, 401, 403, 404, 500, 501],
  errorShape: 'E',
};

/** Concurrent conversations. Needs a key for conversations and analytics. Source: section 5. */
export interface ConcurrencyClient {
  readonly get: (request: ConcurrencyRequest, options?: ProjectCallOptions) => Promise<Concurrency>;
}

/** The concurrency family's part of the client. */
export function createConcurrencyClient(core: ClientCore): ConcurrencyClient {
  return {
    get: async (request, options = {}) =>
      readJson(
        core.transport,
        {
          operation: concurrencyGetOperation,
          pathValues: projectPath(core, options),
          query: checkQuery(concurrencyQuerySchema, encodeQuery({ ...request })),
          options,
        },
        concurrencyReader,
      ),
  };
}
