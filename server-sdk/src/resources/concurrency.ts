import * as v from 'valibot';
import type { ProjectCallOptions } from '../http/call-options.ts';
import { type ClientCore, read } from '../http/client-core.ts';
import type { Operation } from '../http/operation.ts';
import { integer, listOf, moment, oneOf, requestTime, text } from '../schema/fields.ts';
import { type Fields, type GivenFields, objectOf, type Schema } from '../schema/object-of.ts';
import { projectPathParameters } from '../schema/path-ids.ts';
import { queryFault } from '../schema/query-fault.ts';
import { readerOf } from '../schema/reader-of.ts';
import { clientEnvironmentSchema } from './conversations/query.ts';

const query = {
  /** Rounded down to a mark of 5 minutes. Once read, milliseconds since 1970, not rounded; so is `end_time`. */
  start_time: requestTime('Begin; rounded down to a mark of 5 minutes.'),
  /** Rounded up; at most 7 days after `start_time`. */
  end_time: requestTime('End; rounded up. At most 7 days after the begin.'),
  /** `live` when absent. */
  client_env: v.optional(clientEnvironmentSchema, 'live'),
  variant_id: v.optional(text('Variant by its id.')),
  /** Not together with `variant_id`. */
  variant_name: v.optional(text('Variant by its name; not with `variant_id`.')),
  language: v.optional(text('Exact language tag.')),
  /** The agent's number. */
  phone_number: v.optional(
    v.pipe(
      text("The agent's number."),
      // An unescaped "+" arrives as a space, and would match no number.
      v.check((number) => !number.startsWith(' '), 'must not begin with a space; write its "+" as %2B'),
    ),
  ),
  /** One series per variant. The platform answers 501 to the other two. */
  slice_by: v.optional(
    oneOf('One series each; `language` and `phone_number` are answered with 501.', [
      'variant',
      'language',
      'phone_number',
    ]),
  ),
};

const interval = {
  /** Lower bound, UTC. */
  time: moment('Lower bound, UTC.'),
  max_concurrent_conversations: integer('The most that were open at the same instant.', 0),
  variant_id: v.optional(text('Variant of the series.')),
  variant_name: v.optional(text('Its name.')),
  language: v.optional(text('Language that was filtered by.')),
  phone_number: v.optional(text('Number that was filtered by.')),
};

/** The most conversations that were open at the same instant of 5 minutes. */
export interface ConcurrencyInterval extends Fields<typeof interval> {}

const intervalSchema: Schema<ConcurrencyInterval> = objectOf(
  'ConcurrencyInterval',
  'Five minutes.',
  interval,
);

const series = {
  account_id: text('Account id with its prefix.'),
  project_id: text('Project id with its prefix.'),
  intervals: listOf('One interval per 5 minutes, by time, then by variant.', intervalSchema),
};

/** The range and the grouping to measure. Source: section 5. */
export interface ConcurrencyRequest extends GivenFields<typeof query> {}

/** The query as the platform reads it; times in milliseconds, not rounded. */
export interface ConcurrencyQuery extends Fields<typeof query> {}

/** A dense series: zeros are there too. Source: CC-1. */
export interface Concurrency extends Fields<typeof series> {}

/** Longest range, measured before rounding. Source: section 5. */
export const CONCURRENCY_MAX_RANGE_MS = 604_800_000;

/** Schema of the query. */
export const concurrencyQuerySchema: Schema<ConcurrencyQuery> = v.pipe(
  objectOf('ConcurrencyQuery', 'What to measure.', query),
  queryFault((given) => {
    if (given.end_time <= given.start_time) return { field: 'end_time', message: 'must be after start_time' };
    if (given.end_time - given.start_time > CONCURRENCY_MAX_RANGE_MS) {
      return { field: 'end_time', message: 'must be at most 7 days after start_time' };
    }
    if (given.variant_id === undefined || given.variant_name === undefined) return null;
    return { field: 'variant_name', message: 'must not be combined with variant_id' };
  }),
);

/** Schema of the answer. */
export const concurrencySchema: Schema<Concurrency> = objectOf('Concurrency', 'A dense series.', series);

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

const seriesReader = readerOf(concurrencySchema);

/** The concurrency family's part of the client. */
export function createConcurrencyClient(core: ClientCore): ConcurrencyClient {
  return {
    get: (request, options = {}) =>
      read(core, concurrencyGetOperation, seriesReader, { query: { ...request } }, options),
  };
}
