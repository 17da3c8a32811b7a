/** Advice for an error code: whether the same call may succeed later, and the next step. */
export interface ErrorAdvice {
  readonly isRetryable: boolean;
  readonly advice: string;
}

/** Codes that the SDK itself produces. */
export type LocalErrorCode =
  | 'INVALID_CONFIGURATION'
  | 'INVALID_ARGUMENT'
  | 'MISSING_CREDENTIAL'
  | 'NETWORK_ERROR'
  | 'TIMEOUT'
  | 'ABORTED'
  | 'REDIRECTED'
  | 'INVALID_RESPONSE';

/** Codes returned by the platform. */
export type PlatformErrorCode =
  | 'AUTH_INVALID_API_KEY'
  | 'AUTH_INVALID_CONNECTOR_TOKEN'
  | 'USER_ACCESS_FORBIDDEN'
  | 'REGION_REQUIRED'
  | 'SCHEMA_VALIDATION_FAILED'
  | 'ACCOUNT_NOT_FOUND'
  | 'PROJECT_NOT_FOUND'
  | 'VARIANT_NOT_FOUND'
  | 'CONVERSATIONS_NOT_FOUND'
  | 'HANDOFF_STATE_NOT_FOUND'
  | 'NOTHING_TO_ERASE'
  | 'CHAT_DRAFT_NOT_EXIST'
  | 'CHAT_TIMEOUT'
  | 'ChatConversationEnded'
  | 'CHAT_DRAFT_DEPLOYMENT_FAILED'
  | 'GET_CONVERSATIONS_FILTER_PARSE_ERROR'
  | 'RESOURCE_LIMIT_EXCEEDED'
  | 'MONITORING_SYNC_FAILED'
  | 'SPEECH_PROVIDER_FAILED'
  | 'NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'RATE_LIMITED'
  | 'IDEMPOTENCY_KEY_IN_USE'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'INTERNAL_ERROR'
  | 'NOT_IMPLEMENTED';

const fix = (advice: string): ErrorAdvice => ({ isRetryable: false, advice });
const later = (advice: string): ErrorAdvice => ({ isRetryable: true, advice });

/** Codes that the SDK itself produces. All others come from the platform. */
export const LOCAL_ERROR_CODES: Readonly<Record<LocalErrorCode, ErrorAdvice>> = {
  INVALID_CONFIGURATION: fix('Correct the options given to createNatter.'),
  INVALID_ARGUMENT: fix('Correct the named field; nothing was sent.'),
  MISSING_CREDENTIAL: fix('Pass the key or token that is named to createNatter.'),
  NETWORK_ERROR: later('Check that the host is reachable, then try again.'),
  TIMEOUT: later('Try again, or allow more with timeoutMs.'),
  ABORTED: fix('The signal given with the call was aborted.'),
  REDIRECTED: fix(
    'Redirects are not followed, so that keys stay with the host they belong to: use the final address.',
  ),
  INVALID_RESPONSE: fix(
    'Check that the base URL is that of the platform; report it with the correlation id.',
  ),
};

/** Codes of the platform (sections 1.5, 1.6 and the families of the REST contract). */
export const PLATFORM_ERROR_CODES: Readonly<Record<PlatformErrorCode, ErrorAdvice>> = {
  AUTH_INVALID_API_KEY: fix(
    'Check the key, and that it is of this service and region: keys work in one only.',
  ),
  AUTH_INVALID_CONNECTOR_TOKEN: fix(
    'Check connectorToken: it is the token of the connector, not an API key.',
  ),
  USER_ACCESS_FORBIDDEN: fix('Use a key that covers this account, this project and this family.'),
  REGION_REQUIRED: fix('Put the region into the host of the base URL, or pass region.'),
  SCHEMA_VALIDATION_FAILED: fix('Correct the field it names.'),
  ACCOUNT_NOT_FOUND: fix('Check accountId.'),
  PROJECT_NOT_FOUND: fix('Check projectId.'),
  VARIANT_NOT_FOUND: fix('Check variant_id.'),
  CONVERSATIONS_NOT_FOUND: fix('Check conversation_id; it belongs to one project and one connector.'),
  HANDOFF_STATE_NOT_FOUND: fix('Check the id; only a conversation that was handed off has a state.'),
  NOTHING_TO_ERASE: fix(
    'Check the id and the project; after an earlier erasure there is nothing left to do.',
  ),
  CHAT_DRAFT_NOT_EXIST: fix("Deploy the agent to the connector's environment."),
  CHAT_TIMEOUT: fix('Start a new conversation: this one was idle for too long.'),
  ChatConversationEnded: fix('Start a new conversation: this one is over.'),
  CHAT_DRAFT_DEPLOYMENT_FAILED: later('The agent could not be run: check its deployment, then try again.'),
  GET_CONVERSATIONS_FILTER_PARSE_ERROR: fix('Start again without cursor, or pass the last one unchanged.'),
  RESOURCE_LIMIT_EXCEEDED: fix('Delete one that is no longer needed first.'),
  MONITORING_SYNC_FAILED: later('Nothing was stored: try again.'),
  SPEECH_PROVIDER_FAILED: later('The speech provider gave no audio: try again, or name another provider.'),
  NOT_FOUND: fix('Check the id and the base URL.'),
  METHOD_NOT_ALLOWED: fix('Check that the base URL is that of this service.'),
  PAYLOAD_TOO_LARGE: fix('Send a smaller body.'),
  UNSUPPORTED_MEDIA_TYPE: fix('Send the body plain, or compress it as gzip, deflate or br.'),
  RATE_LIMITED: later('Wait for retryAfterMs, then try again.'),
  IDEMPOTENCY_KEY_IN_USE: later('Wait for the first request with this key to end, then try again.'),
  IDEMPOTENCY_KEY_REUSED: fix('Use a new idempotency key for each call that asks for something else.'),
  INTERNAL_ERROR: later('Try again; if it stays, report it with the correlation id.'),
  NOT_IMPLEMENTED: fix('Leave this option out.'),
};

// For responses without a code: error body D, older shapes, and responses of intermediate proxies.
const STATUS_CODES: Readonly<Record<number, readonly [code: string, advice: ErrorAdvice]>> = {
  400: ['BAD_REQUEST', fix('Correct the request.')],
  401: ['UNAUTHORIZED', PLATFORM_ERROR_CODES.AUTH_INVALID_API_KEY],
  403: ['FORBIDDEN', PLATFORM_ERROR_CODES.USER_ACCESS_FORBIDDEN],
  404: ['NOT_FOUND', PLATFORM_ERROR_CODES.NOT_FOUND],
  405: ['METHOD_NOT_ALLOWED', PLATFORM_ERROR_CODES.METHOD_NOT_ALLOWED],
  408: ['REQUEST_TIMEOUT', later('Try again.')],
  409: ['CONFLICT', fix('Look at the present state first.')],
  410: ['GONE', fix('Start anew: this one is over.')],
  413: ['PAYLOAD_TOO_LARGE', PLATFORM_ERROR_CODES.PAYLOAD_TOO_LARGE],
  415: ['UNSUPPORTED_MEDIA_TYPE', PLATFORM_ERROR_CODES.UNSUPPORTED_MEDIA_TYPE],
  422: ['UNPROCESSABLE', fix('Correct the request.')],
  429: ['RATE_LIMITED', PLATFORM_ERROR_CODES.RATE_LIMITED],
  500: ['INTERNAL_ERROR', PLATFORM_ERROR_CODES.INTERNAL_ERROR],
  501: ['NOT_IMPLEMENTED', PLATFORM_ERROR_CODES.NOT_IMPLEMENTED],
  502: ['BAD_GATEWAY', later('Try again.')],
  503: ['SERVICE_UNAVAILABLE', later('Try again.')],
  504: ['GATEWAY_TIMEOUT', later('Try again.')],
};

/** The code for a status whose body contains none. */
export function codeOfStatus(status: number): string {
  return STATUS_CODES[status]?.[0] ?? 'HTTP_ERROR';
}

/** Advice for an error: by its code if known, otherwise by its status. */
export function adviseOn(code: string, status: number | null): ErrorAdvice {
  const known: Readonly<Record<string, ErrorAdvice>> = { ...LOCAL_ERROR_CODES, ...PLATFORM_ERROR_CODES };
  if (Object.hasOwn(known, code)) return known[code] ?? fix('');
  const byStatus = status === null ? undefined : STATUS_CODES[status]?.[1];
  return byStatus ?? (status !== null && status >= 500 ? later('Try again.') : fix('Correct the request.'));
}
