import { ATTRIBUTES_MAX_BYTES } from '../chat/chat-schemas.ts';
import type { CallOptions } from '../http/call-options.ts';
import { type ClientCore, writeBody } from '../http/client-core.ts';
import type { Operation } from '../http/operation.ts';
import { readJson } from '../http/read-answer.ts';
import { boundedMap, nonEmptyText } from '../schema/fields.ts';
import { objectOf, type Schema } from '../schema/object-of.ts';

/** What the agent is to know when the call comes in. Source: section 7. */
export interface ReserveNumberBody {
  /** At most 64 KB of JSON; a `shared_id` in it becomes the shared id of the handoff state (DN-4). */
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** The number to call. */
export interface ReservedNumber {
  /** E.164. */
  readonly dni: string;
}

/** Schema of the body. Source: DN-1. */
export const reserveNumberBodySchema: Schema<ReserveNumberBody> = objectOf(
  'ReserveNumberBody',
  'What the agent is to know when the call comes in.',
  { attributes: boundedMap('Free map, nesting allowed.', ATTRIBUTES_MAX_BYTES) },
);

/** Schema of the answer. */
export const reservedNumberSchema: Schema<ReservedNumber> = objectOf(
  'ReservedNumber',
  'The number to call.',
  {
    dni: nonEmptyText('The number, E.164.'),
  },
);

/** `POST …/conversations/dni-reservation`. Source: section 7. */
export const reserveNumberOperation: Operation = {
  id: 'numberReserve',
  family: 'numbers',
  service: 'runtime',
  method: 'POST',
  path: '/v1/conversations/dni-reservation',
  summary: 'Reserve a number for one call.',
  keyHeader: 'x-api-key',
  needsConnectorToken: false,
  repeatability: 'when-refused',
  pathParameters: {},
  body: { isRequired: true, schema: reserveNumberBodySchema },
  success: { status: 200, description: 'The number.', schema: reservedNumberSchema },
  errors: [400, 401, 403, 404, 500],
  errorShape: 'D',
};

/** Number reservation. Its key is tied to one virtual agent: `apiKeys.numbers`. Source: section 7. */
export interface NumbersClient {
  /**
   * Reserves a number until the first call to it, or for the time the platform allows. With no free number it
   * rejects with status 404. Sent again only when it was refused with 429: each call takes a number.
   */
  readonly reserve: (body: ReserveNumberBody, options?: CallOptions) => Promise<ReservedNumber>;
}

/** The number family's part of the client. */
export function createNumbersClient(core: ClientCore): NumbersClient {
  return {
    reserve: async (body, options = {}) =>
      readJson(
        core.transport,
        {
          operation: reserveNumberOperation,
          pathValues: {},
          ...writeBody(reserveNumberBodySchema, body),
          options,
        },
        reservedNumberSchema,
      ),
  };
}
