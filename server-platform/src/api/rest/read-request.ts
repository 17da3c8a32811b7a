import { parseBody, parseQuery } from '@natter/sdk';
import { LOSSY_NUMBER, readBodyBytes, readJsonBody } from '../../kit/http/index.ts';
import { REST_ERRORS, RestError, validationError } from './rest-error.ts';
import type { RestRoute } from './rest-route.ts';

/** Largest body of any request. Source: C-7. */
const MAX_BODY_BYTES = 1_048_576;

/** Reads the query with the route's schema; undefined when it has none. Fails with a 400. Source: C-8 to C-11. */
export function readQuery({ query }: RestRoute, parameters: URLSearchParams): unknown {
  if (query === undefined) return undefined;
  const parsed = parseQuery(query, parameters);
  if (!parsed.isOk) throw validationError(parsed.errors);
  return parsed.value;
}

/**
 * Reads the body with the route's schema; undefined when it has none. A missing optional body counts as `{}`. Fails
 * with 413, 415 or 400; too deep nesting, which no database could store, and too many fields get a 400. Source: C-7, C-8.
 */
export async function readBody({ body, operation }: RestRoute, request: Request): Promise<unknown> {
  if (body === undefined) return undefined;
  const json = await readJsonBody(request, MAX_BODY_BYTES);
  if (json.kind === 'too_large') throw REST_ERRORS.tooLarge();
  if (json.kind === 'unknown_encoding') throw REST_ERRORS.unknownEncoding();
  if (json.kind === 'malformed' && json.excess !== null)
    throw new RestError(400, 'SCHEMA_VALIDATION_FAILED', `Request body ${json.excess}`);
  const isLeftOut = json.kind === 'absent' && operation.body?.isRequired === false;
  const parsed = parseBody(body, json.kind === 'object' ? json.fields : isLeftOut ? {} : undefined);
  if (!parsed.isOk) throw validationError(parsed.errors);
  // Only now, because a string helps no field whose schema refuses the number anyway.
  const lossyField = json.kind === 'object' ? json.lossyField : null;
  if (lossyField !== null) throw validationError([{ field: lossyField, message: LOSSY_NUMBER }]);
  return parsed.value;
}

/** Reads a body of any kind. Fails with 413, 415, or with 400 when it cannot be decompressed. Source: C-7. */
export async function readBytes(request: Request, maxBytes: number = MAX_BODY_BYTES): Promise<Uint8Array> {
  const bytes = await readBodyBytes(request, maxBytes);
  if (bytes === 'too_large') throw REST_ERRORS.tooLarge();
  if (bytes === 'unknown_encoding') throw REST_ERRORS.unknownEncoding();
  if (bytes === 'malformed')
    throw new RestError(
      400,
      'SCHEMA_VALIDATION_FAILED',
      'Request body is not what its Content-Encoding says',
    );
  return bytes;
}
