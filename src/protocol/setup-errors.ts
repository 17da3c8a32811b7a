/** A refusal: HTTP status, exact text and our code. */
export interface SetupError {
  readonly status: number;
  readonly text: string;
  readonly code: string;
}

/** Names of the refusals. */
export type SetupErrorName =
  | 'missingAuthHeaders'
  | 'invalidBody'
  | 'connectorNotFound'
  | 'connectorHostMissing'
  | 'connectorHostMismatch'
  | 'rateLimited'
  | 'tokenCreationFailed'
  | 'missingAccessToken'
  | 'invalidAccessToken'
  | 'sessionCreationFailed'
  | 'invalidConnectionParameters'
  | 'authenticationFailed'
  | 'sessionNotFound'
  | 'connectionLimitExceeded'
  | 'contextNotEnabled'
  | 'contextTokenTooLarge'
  | 'invalidContextToken'
  | 'notFound'
  | 'methodNotAllowed'
  | 'payloadTooLarge'
  | 'unknownEncoding'
  | 'internalError';

/** Refusals of the HTTP set-up and the handshake, by name. Source: messaging.md 3.1, 3.2, 3.4, 3.6 and 4.1. */
export const SETUP_ERRORS: Readonly<Record<SetupErrorName, SetupError>> = {
  missingAuthHeaders: { status: 401, text: 'Missing authentication headers', code: 'MISSING_AUTH_HEADERS' },
  invalidBody: { status: 400, text: 'Error parsing request', code: 'INVALID_REQUEST_BODY' },
  connectorNotFound: { status: 401, text: 'Connector token does not exist', code: 'CONNECTOR_NOT_FOUND' },
  connectorHostMissing: {
    status: 401,
    text: 'Connector missing host domain',
    code: 'CONNECTOR_HOST_MISSING',
  },
  connectorHostMismatch: {
    status: 401,
    text: 'Failed to validate connector',
    code: 'CONNECTOR_HOST_MISMATCH',
  },
  rateLimited: { status: 429, text: 'Rate limit exceeded', code: 'RATE_LIMITED' },
  tokenCreationFailed: { status: 500, text: 'Failed to create access token', code: 'TOKEN_CREATION_FAILED' },
  missingAccessToken: { status: 400, text: 'Missing access token', code: 'MISSING_ACCESS_TOKEN' },
  invalidAccessToken: { status: 401, text: 'Invalid access token', code: 'INVALID_ACCESS_TOKEN' },
  sessionCreationFailed: { status: 500, text: 'Failed to create session', code: 'SESSION_CREATION_FAILED' },
  invalidConnectionParameters: {
    status: 400,
    text: 'invalid connection parameters',
    code: 'INVALID_CONNECTION_PARAMETERS',
  },
  authenticationFailed: { status: 401, text: 'authentication failed', code: 'AUTHENTICATION_FAILED' },
  sessionNotFound: { status: 404, text: 'session not found', code: 'SESSION_NOT_FOUND' },
  connectionLimitExceeded: {
    status: 429,
    text: 'connection limit exceeded for session',
    code: 'CONNECTION_LIMIT_EXCEEDED',
  },
  contextNotEnabled: { status: 404, text: 'Verified context not enabled', code: 'CONTEXT_NOT_ENABLED' },
  contextTokenTooLarge: { status: 413, text: 'Context token too large', code: 'CONTEXT_TOKEN_TOO_LARGE' },
  invalidContextToken: { status: 401, text: 'Invalid context token', code: 'INVALID_CONTEXT_TOKEN' },
  notFound: { status: 404, text: 'Resource not found', code: 'NOT_FOUND' },
  methodNotAllowed: { status: 405, text: 'Method not allowed', code: 'METHOD_NOT_ALLOWED' },
  payloadTooLarge: { status: 413, text: 'Request body is too large', code: 'PAYLOAD_TOO_LARGE' },
  unknownEncoding: {
    status: 415,
    text: 'Request body has an unknown Content-Encoding: send it plain, or as gzip, deflate or br',
    code: 'UNSUPPORTED_MEDIA_TYPE',
  },
  internalError: { status: 500, text: 'Internal server error', code: 'INTERNAL_ERROR' },
};

/** The body of every messaging HTTP error, refused handshakes included. Source: HTTP-3, HTTP-4. */
export interface SetupErrorBody {
  readonly success: false;
  readonly message: string;
  readonly error: string;
  readonly error_message: string;
  readonly error_code: string;
  /** The correlation id. */
  readonly error_id: string;
  readonly data: null;
}

/** Creates the body of a refusal: the union of the fields that SDKs and documents use. Source: HTTP-3, HTTP-4. */
export function toSetupErrorBody(error: SetupError, correlationId: string): SetupErrorBody {
  return {
    success: false,
    message: error.text,
    error: error.text,
    error_message: error.text,
    error_code: error.code,
    error_id: correlationId,
    data: null,
  };
}
