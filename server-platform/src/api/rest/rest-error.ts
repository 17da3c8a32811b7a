import { errorText, type FieldError, type PlatformErrorCode } from '@natter/sdk';
import { SETUP_ERRORS } from 'natter/protocol';

/** Optional details of a refusal. */
export interface RestErrorDetails {
  /** Faults by field, for the error bodies that list them. */
  readonly errors?: readonly FieldError[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/**
 * A refusal of a REST call. Thrown anywhere below a route, it becomes the response: status, and the error body of the
 * route group (1.4). Any other error becomes a logged 500.
 *
 * @example
 * throw new RestError(404, 'VARIANT_NOT_FOUND', 'Variant ID does not exist.');
 */
export class RestError extends Error {
  override readonly name: string = 'RestError';
  readonly retryable: boolean = false;
  readonly status: number;
  readonly code: PlatformErrorCode;
  readonly errors: readonly FieldError[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, code: PlatformErrorCode, text: string, details: RestErrorDetails = {}) {
    super(text, { cause: details.cause });
    this.status = status;
    this.code = code;
    this.errors = details.errors ?? [];
    this.headers = details.headers ?? {};
  }
}

/** Whether something thrown is a {@link RestError}. */
export function isRestError(error: unknown): error is RestError {
  return error instanceof Error && error.name === 'RestError' && 'status' in error;
}

/** A 400 for invalid fields; the text names the first one. Source: 1.6. */
export function validationError(errors: readonly FieldError[]): RestError {
  return new RestError(400, 'SCHEMA_VALIDATION_FAILED', errorText(errors), { errors });
}

/** Refusals shared by all route groups. Source: 1.5, 1.6. */
export const REST_ERRORS: Readonly<
  Record<
    | 'invalidKey'
    | 'invalidConnectorToken'
    | 'forbidden'
    | 'accountNotFound'
    | 'projectNotFound'
    | 'notFound'
    | 'tooLarge'
    | 'unknownEncoding'
    | 'internal',
    () => RestError
  >
> & {
  readonly methodNotAllowed: (methods: readonly string[]) => RestError;
  readonly rateLimited: (retryAfterSeconds: number) => RestError;
} = {
  invalidKey: () => new RestError(401, 'AUTH_INVALID_API_KEY', 'Missing or invalid API key'),
  invalidConnectorToken: () =>
    new RestError(401, 'AUTH_INVALID_CONNECTOR_TOKEN', 'Missing or invalid connector token'),
  forbidden: () => new RestError(403, 'USER_ACCESS_FORBIDDEN', 'API key is not authorized for this resource'),
  accountNotFound: () => new RestError(404, 'ACCOUNT_NOT_FOUND', 'Account ID does not exist.'),
  projectNotFound: () => new RestError(404, 'PROJECT_NOT_FOUND', 'Project ID does not exist.'),
  notFound: () => new RestError(404, 'NOT_FOUND', 'Resource not found'),
  // Source: C-13.
  methodNotAllowed: (methods) =>
    new RestError(405, 'METHOD_NOT_ALLOWED', 'Method not allowed', {
      headers: { Allow: methods.join(', ') },
    }),
  tooLarge: () => new RestError(413, 'PAYLOAD_TOO_LARGE', 'Request body is too large'),
  unknownEncoding: () => {
    const { status, text } = SETUP_ERRORS.unknownEncoding;
    return new RestError(status, 'UNSUPPORTED_MEDIA_TYPE', text);
  },
  // Source: C-14.
  rateLimited: (retryAfterSeconds) =>
    new RestError(429, 'RATE_LIMITED', 'Rate limit exceeded', {
      headers: { 'Retry-After': String(retryAfterSeconds) },
    }),
  internal: () => new RestError(500, 'INTERNAL_ERROR', 'Internal server error'),
};
