import * as v from 'valibot';
import type { ProjectCallOptions } from '../http/call-options.ts';
import { type ClientCore, projectPath, writeBody } from '../http/client-core.ts';
import type { Operation } from '../http/operation.ts';
import { readJson } from '../http/read-answer.ts';
import { boundedText, integer, mapOf } from '../schema/fields.ts';
import { objectOf, type Schema } from '../schema/object-of.ts';
import { projectPathParameters } from '../schema/path-ids.ts';
import { queryFault } from '../schema/query-fault.ts';

/** What to erase: exactly one of the three. */
export interface EraseBody {
  /** One conversation of any channel, with its session. */
  readonly conversation_id?: string | undefined;
  /** One session of the messaging API, with its conversation. */
  readonly session_id?: string | undefined;
  /** Everything of one user: the `id` that `identify` was given, or `user_id` of the verified context. */
  readonly user_id?: string | undefined;
}

/** The result of an erasure. */
export interface Erased {
  /** Number of removed or emptied rows by table; every table that can hold a person's words is named. */
  readonly erased: Readonly<Record<string, number>>;
}

/** Longest id that can be erased, in characters. */
const MAX_ID_CHARACTERS = 1024;

const FIELDS = ['conversation_id', 'session_id', 'user_id'] as const;

const id = (description: string): Schema<string | undefined> =>
  v.optional(boundedText(description, 1, MAX_ID_CHARACTERS));

/** Schema of the body. */
export const eraseBodySchema: Schema<EraseBody> = v.pipe(
  objectOf('EraseBody', 'What to erase: exactly one of the three.', {
    conversation_id: id('One conversation of any channel, with its session.'),
    session_id: id('One session of the messaging API, with its conversation.'),
    user_id: id(
      'Everything of one user: the id that `identify` was given, or `user_id` of the verified context.',
    ),
  }),
  queryFault((body) =>
    FIELDS.filter((field) => body[field] !== undefined).length === 1
      ? null
      : { field: '', message: 'exactly one of conversation_id, session_id and user_id is required' },
  ),
);

/** Schema of the answer. */
export const erasedSchema: Schema<Erased> = objectOf('Erased', 'What was erased.', {
  erased: mapOf('Number of removed or emptied rows by table.', integer('Rows.', 0)),
});

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
  success: { status: 200, description: 'What was erased.', schema: erasedSchema },
  errors: [400, 401, 403, 404, 413, 500],
  errorShape: 'E',
};

/** Erasure. Needs a key with the permission `erasure`. */
export interface ErasureClient {
  /**
   * Erases one conversation, one session or everything of one user, for good, also while the conversation goes on.
   * Rejects with status 404 and `NOTHING_TO_ERASE` when nothing of it is stored, as after an earlier erasure.
   *
   * @example
   * const { erased } = await natter.erasure.erase({ user_id: '42' });
   */
  readonly erase: (body: EraseBody, options?: ProjectCallOptions) => Promise<Erased>;
}

/** The erasure family's part of the client. */
export function createErasureClient(core: ClientCore): ErasureClient {
  return {
    erase: async (body, options = {}) =>
      readJson(
        core.transport,
        {
          operation: eraseOperation,
          pathValues: projectPath(core, options),
          ...writeBody(eraseBodySchema, body),
          options,
        },
        erasedSchema,
      ),
  };
}
