import * as v from 'valibot';
import type { ProjectCallOptions } from '../http/call-options.ts';
import { type ClientCore, read } from '../http/client-core.ts';
import type { Operation } from '../http/operation.ts';
import { freeMap, text } from '../schema/fields.ts';
import { type Fields, objectOf, type Schema } from '../schema/object-of.ts';
import { projectPathParameters } from '../schema/path-ids.ts';
import { queryFault } from '../schema/query-fault.ts';
import { orElse, readerOf } from '../schema/reader-of.ts';

const query = {
  /** Conversation id. */
  id: v.optional(text('Conversation id.')),
  /** The integrator's id. */
  shared_id: v.optional(text("The integrator's id; wins over `id`.")),
};

const state = {
  /** Conversation id. */
  id: text('Conversation id.'),
  /** There only when the conversation has one. */
  shared_id: v.optional(text("The integrator's id, when there is one.")),
  /** Holds `handoff_reason` and `handoff_destination` when known, and what the agent logic stored (HS-3). */
  data: orElse({}, freeMap('The stored hand-off.')),
};

/** Which state: at least one of the two; `shared_id` wins. Source: section 14. */
export interface HandoffStateQuery extends Fields<typeof query> {}

/** The record of the handoff, stored when it happened. Source: section 14. */
export interface HandoffState extends Fields<typeof state> {}

/** Schema of the query; an empty id counts as none. Source: HS-1. */
export const handoffStateQuerySchema: Schema<HandoffStateQuery> = v.pipe(
  objectOf('HandoffStateQuery', 'Which state.', query),
  queryFault(({ id, shared_id }) =>
    id || shared_id ? null : { field: '', message: 'id or shared_id is required' },
  ),
);

/** Schema of the answer. */
export const handoffStateSchema: Schema<HandoffState> = objectOf(
  'HandoffState',
  'Data stored at the handoff.',
  state,
);

/** `GET …/handoff_state`. Source: section 14. */
export const handoffGetOperation: Operation = {
  id: 'handoffGet',
  family: 'handoff',
  service: 'runtime',
  method: 'GET',
  path: '/v1/{account_id}/{project_id}/handoff_state',
  summary: 'Data stored when a conversation was handed off.',
  keyHeader: 'x-api-key',
  needsConnectorToken: false,
  repeatability: 'always',
  pathParameters: projectPathParameters,
  query: handoffStateQuerySchema,
  success: { status: 200, description: 'The state.', schema: handoffStateSchema },
  errors: [400, 401, 403, 404, 500],
  errorShape: 'E',
};

/** Handoff state, read-only. Needs a key with the permission `handoff`. Source: section 14. */
export interface HandoffClient {
  readonly get: (query: HandoffStateQuery, options?: ProjectCallOptions) => Promise<HandoffState>;
}

const stateReader = readerOf(handoffStateSchema);

/** The handoff family's part of the client. */
export function createHandoffClient(core: ClientCore): HandoffClient {
  return {
    get: (given, options = {}) =>
      read(core, handoffGetOperation, stateReader, { query: { ...given } }, options),
  };
}
