/** Codes of refusals: stable, for programs. */
export type ErrorCode =
  | 'INVALID_REQUEST'
  | 'ORIGIN_NOT_ALLOWED'
  | 'NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'CHAT_NOT_AVAILABLE'
  | 'RESUME_TICKET_INVALID'
  | 'RELAY_TICKET_INVALID'
  | 'SESSION_REFUSED'
  | 'SESSION_NOT_FOUND'
  | 'DATA_NOT_AVAILABLE'
  | 'CONTEXT_NOT_ENABLED'
  | 'CONTEXT_TOKEN_TOO_LARGE'
  | 'INVALID_CONTEXT_TOKEN'
  | 'CHAT_ENDED'
  | 'UPLOADS_NOT_ENABLED'
  | 'UPLOAD_REFUSED'
  | 'REQUEST_TIMEOUT'
  | 'UPGRADE_REQUIRED'
  | 'PAYLOAD_TOO_LARGE'
  | 'HEADERS_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'RATE_LIMITED'
  | 'CONNECTOR_REJECTED'
  | 'UPSTREAM_RATE_LIMITED'
  | 'UPSTREAM_UNAVAILABLE'
  | 'UPSTREAM_INVALID_RESPONSE'
  | 'INTERNAL';

interface ErrorCodeFacts {
  readonly status: number;
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
}

/** Every code of an error body. A test compares the README's table with this one. */
export const ERROR_CODES: Readonly<Record<ErrorCode, ErrorCodeFacts>> = {
  INVALID_REQUEST: { status: 400, retryable: false },
  ORIGIN_NOT_ALLOWED: { status: 403, retryable: false },
  NOT_FOUND: { status: 404, retryable: false },
  METHOD_NOT_ALLOWED: { status: 405, retryable: false },
  CHAT_NOT_AVAILABLE: { status: 404, retryable: false },
  RESUME_TICKET_INVALID: { status: 410, retryable: false },
  RELAY_TICKET_INVALID: { status: 410, retryable: false },
  SESSION_REFUSED: { status: 401, retryable: false },
  SESSION_NOT_FOUND: { status: 404, retryable: false },
  DATA_NOT_AVAILABLE: { status: 404, retryable: false },
  CONTEXT_NOT_ENABLED: { status: 404, retryable: false },
  CONTEXT_TOKEN_TOO_LARGE: { status: 413, retryable: false },
  INVALID_CONTEXT_TOKEN: { status: 422, retryable: false },
  CHAT_ENDED: { status: 410, retryable: false },
  UPLOADS_NOT_ENABLED: { status: 404, retryable: false },
  UPLOAD_REFUSED: { status: 422, retryable: false },
  REQUEST_TIMEOUT: { status: 408, retryable: true },
  UPGRADE_REQUIRED: { status: 426, retryable: false },
  PAYLOAD_TOO_LARGE: { status: 413, retryable: false },
  HEADERS_TOO_LARGE: { status: 431, retryable: false },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, retryable: false },
  RATE_LIMITED: { status: 429, retryable: true },
  CONNECTOR_REJECTED: { status: 502, retryable: false },
  UPSTREAM_RATE_LIMITED: { status: 429, retryable: true },
  UPSTREAM_UNAVAILABLE: { status: 503, retryable: true },
  UPSTREAM_INVALID_RESPONSE: { status: 502, retryable: false },
  INTERNAL: { status: 500, retryable: true },
};

/** Body of every refusal. `message` says what happened and what to do next; it never contains a secret. */
export interface ErrorBody {
  readonly code: ErrorCode;
  readonly message: string;
  readonly retryable: boolean;
  readonly correlation_id: string;
  /** Whole seconds, at least 1; present when the response carries `Retry-After`. */
  readonly retry_after_seconds?: number;
}
