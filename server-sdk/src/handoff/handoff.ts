import * as v from 'valibot';
import type { ProjectCallOptions } from '../http/call-options.ts';
import { type ClientCore, checkQuery, projectPath } from '../http/client-core.ts';
import { encodeQuery } from '../http/encode-query.ts';
import type { Operation } from '../http/operation.ts';
import { readJson } from '../http/read-answer.ts';
import { freeMap, text } from '../schema/fields.ts';
import { dropNulls, fillAbsent, objectOf, type Schema, tolerant } from '../schema/object-of.ts';
import { projectPathParameters } from '../schema/path-ids.ts';
import { queryFault } from '../schema/query-fault.ts';

/** Which state: at least one of the two; `shared_id` wins. Source: section 14. */
export interface HandoffStateQuery {
  /** Conversation id. */
  readonly id?: string | undefined;
  /** The integrator's id. */
  readonly shared_id?: string | undefined;
}

/** What was stored at the moment of the handoff. Source: section 14. */
export interface HandoffState {
  /** Conversation id. */
  readonly id: string;
  /** There only when the conversation has one. */
  readonly shared_id?: string | undefined;
  /** Holds `handoff_reason` and `handoff_destination` when known, and what the agent logic stored (HS-3). */
  readonly data: Readonly<Record<string, unknown>>;
}

/** Schema of the query; an empty id counts as none. Source: HS-1. */
export const handoffStateQuerySchema: Schema<HandoffStateQuery> = v.pipe(
  objectOf('HandoffStateQuery', 'Which state.', {
    id: v.optional(text('Conversation id.')),
    shared_id: v.optional(text("The integrator's id; wins over `id`.")),
  }),
  queryFault(({ id, shared_id }) =>
    id || shared_id ? null : { field: '', message: 'id or shared_id is required' },
  ),
);

/** Schema of the answer. */
export const handoffStateSchema: Schema<HandoffState> = objectOf(
  'HandoffState',
  'What was stored at the handoff.',
  {
    id: text('Conversation id.'),
    shared_id: v.optional(text("The integrator's id, when there is one.")),
    data: freeMap('What was stored.'),
  },
);

// Nulls count as absent.
const handoffStateReader: Schema<HandoffState> = tolerant(handoffStateSchema, (raw) =>
  fillAbsent(dropNulls(raw, ['shared_id']), { data: {} }),
);

/** `GET …/handoff_state`. Source: section 14. */
export const handoffGetOperation: Operation = {
  id: 'handoffGet',
  family: 'handoff',
  service: 'runtime',
  method: 'GET',
  path: '/v1/{account_id}/{project_id}/handoff_state',
  summary: 'What was stored when a conversation was handed off.',
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

/** The handoff family's part of the client. */
export function createHandoffClient(core: ClientCore): HandoffClient {
  return {
    get: async (query, options = {}) =>
      readJson(
        core.transport,
        {
          operation: handoffGetOperation,
          pathValues: projectPath(core, options),
          query: checkQuery(handoffStateQuerySchema, encodeQuery({ ...query })),
          options,
        },
        handoffStateReader,
      ),
  };
}
