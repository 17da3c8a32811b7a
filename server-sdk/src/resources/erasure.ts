import * as v from 'valibot';
import type { ProjectCallOptions } from '../http/call-options.ts';
import { type ClientCore, read } from '../http/client-core.ts';
import type { Operation } from '../http/operation.ts';
import { boundedText, integer, mapOf } from '../schema/fields.ts';
import { type Fields, objectOf, type Schema } from '../schema/object-of.ts';
import { projectPathParameters } from '../schema/path-ids.ts';
import { queryFault } from '../schema/query-fault.ts';
import { readerOf } from '../schema/reader-of.ts';

/** Longest id that can be erased, in characters. */
const MAX_ID_CHARACTERS = 1024;

const body = {
  /** One conversation of any channel, with its session. */
  conversation_id: v.optional(
    boundedText('One conversation of any channel, with its session.', 1, MAX_ID_CHARACTERS),
  ),
  /** One session of the messaging API, with its conversation. */
  session_id: v.optional(
    boundedText('One session of the messaging API, with its conversation.', 1, MAX_ID_CHARACTERS),
  ),
  /** Everything of one user: the `id` that `identify` was given, or `user_id` of the verified context. */
  user_id: v.optional(
    boundedText(
      'Everything of one user: the id that `identify` was given, or `user_id` of the verified context.',
      1,
      MAX_ID_CHARACTERS,
    ),
  ),
};

const result = {
  /** Number of removed or emptied rows by table; every table that can hold a person's words is named. */
  erased: mapOf('Number of removed or emptied rows by table.', integer('Rows.', 0)),
};

/** The data to erase: exactly one of the three. */
export interface EraseBody extends Fields<typeof body> {}

/** The result of an erasure. */
export interface Erased extends Fields<typeof result> {}

/** Schema of the body. */
export const eraseBodySchema: Schema<EraseBody> = v.pipe(
  objectOf('EraseBody', 'The data to erase: exactly one of the three.', body),
  queryFault((given) =>
    Object.values(given).filter((id) => id !== undefined).length === 1
      ? null
      : { field: '', message: 'exactly one of conversation_id, session_id and user_id is required' },
  ),
);

/** Schema of the answer. */
export const erasedSchema: Schema<Erased> = objectOf('Erased', 'Counts of the erased data.', result);

/** `POST …/erasures`: removes all stored data of a conversation, a session or a user, for good. */
export const eraseOperation: Operation = {
  id: 'erase',
  family: 'erasure',
  service: 'runtime',
  method: 'POST',
  path: '/v1/{account_id}/{project_id}/erasures',
  summary: 'Erase a conversation, a session, or everything of a user.',
  keyHeader: 'x-api-key',
  needsConnectorToken: false,
  repeatability: 'when-refused',
  pathParameters: projectPathParameters,
  body: { isRequired: true, schema: eraseBodySchema },
  success: { status: 200, description: 'Counts of the erased data.', schema: erasedSchema },
  errors: [400, 401, 403, 404, 500],
  errorShape: 'E',
};

/** Erasure. Needs a key with the permission `erasure`. */
export interface ErasureClient {
  /**
   * Erases one conversation, one session or everything of one user, permanently, even while the conversation is open.
   * Rejects with status 404 and `NOTHING_TO_ERASE` when nothing of it is stored, as after an earlier erasure.
   *
   * @example
   * const { erased } = await natter.erasure.erase({ user_id: '42' });
   */
  readonly erase: (body: EraseBody, options?: ProjectCallOptions) => Promise<Erased>;
}

const erasedReader = readerOf(erasedSchema);

/** The erasure family's part of the client. */
export function createErasureClient(core: ClientCore): ErasureClient {
  return {
    erase: (given, options = {}) => read(core, eraseOperation, erasedReader, { body: given }, options),
  };
}
