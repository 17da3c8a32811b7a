import type { CallOptions, IdempotentCall } from '../http/call-options.ts';
import { type ClientCore, read } from '../http/client-core.ts';
import type { Operation } from '../http/operation.ts';
import { boundedMap, nonEmptyText } from '../schema/fields.ts';
import { type Fields, objectOf, type Schema } from '../schema/object-of.ts';
import { readerOf } from '../schema/reader-of.ts';
import { ATTRIBUTES_MAX_BYTES } from './chat.ts';

const body = {
  /** At most 64 KB of JSON; a `shared_id` in it becomes the shared id of the handoff state (DN-4). */
  attributes: boundedMap('Free map, nesting allowed.', ATTRIBUTES_MAX_BYTES),
};

const reserved = {
  /** E.164. */
  dni: nonEmptyText('The number, E.164.'),
};

/** Attributes for the agent when the call arrives. Source: section 7. */
export interface ReserveNumberBody extends Fields<typeof body> {}

/** The number to call. */
export interface ReservedNumber extends Fields<typeof reserved> {}

/** Schema of the body. Source: DN-1. */
export const reserveNumberBodySchema: Schema<ReserveNumberBody> = objectOf(
  'ReserveNumberBody',
  'Attributes that the agent gets with the call.',
  body,
);

/** Schema of the answer. */
export const reservedNumberSchema: Schema<ReservedNumber> = objectOf(
  'ReservedNumber',
  'The number to call.',
  reserved,
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
  takesIdempotencyKey: true,
  pathParameters: {},
  body: { isRequired: true, schema: reserveNumberBodySchema },
  success: { status: 200, description: 'The number.', schema: reservedNumberSchema },
  errors: [400, 401, 403, 404, 409, 422, 500],
  errorShape: 'D',
};

/** Number reservation. Its key is tied to one virtual agent: `apiKeys.numbers`. Source: section 7. */
export interface NumbersClient {
  /**
   * Reserves a number until the first call to it, or for the time the platform allows. With no free number it
   * rejects with status 404. Without an `idempotencyKey` it is sent again only when it was refused with 429: each call
   * takes a number.
   */
  readonly reserve: (
    body: ReserveNumberBody,
    options?: CallOptions & IdempotentCall,
  ) => Promise<ReservedNumber>;
}

const numberReader = readerOf(reservedNumberSchema);

/** The number family's part of the client. */
export function createNumbersClient(core: ClientCore): NumbersClient {
  return {
    reserve: (given, options = {}) =>
      read(core, reserveNumberOperation, numberReader, { body: given }, options),
  };
}
