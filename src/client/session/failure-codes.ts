import type { FailureReason } from '../chat-state.ts';

/**
 * One row per code: `come-back` faults may pass and are tried again, `stay-away` faults are final until
 * the visitor or the site's operator does something.
 */
export interface FailureRule {
  readonly semantics: 'come-back' | 'stay-away';
  readonly reason: FailureReason;
}

/** Every code a proxy call can fail with: the proxy's own, and the first two, which are this client's. */
export type FailureCode =
  | 'NETWORK_UNREACHABLE'
  | 'INVALID_RESPONSE'
  | 'INVALID_REQUEST'
  | 'ORIGIN_NOT_ALLOWED'
  | 'NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'RESUME_TICKET_INVALID'
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'RATE_LIMITED'
  | 'CONNECTOR_REJECTED'
  | 'UPSTREAM_RATE_LIMITED'
  | 'UPSTREAM_UNAVAILABLE'
  | 'UPSTREAM_INVALID_RESPONSE'
  | 'INTERNAL';

const COME_BACK: FailureRule = { semantics: 'come-back', reason: 'service_unavailable' };
const STAY_AWAY: FailureRule = { semantics: 'stay-away', reason: 'service_unavailable' };

/** The one table of codes: what each means for the next try, and what the visitor is told. */
export const FAILURE_CODES: Readonly<Record<FailureCode, FailureRule>> = {
  /** The request never got an answer. */
  NETWORK_UNREACHABLE: COME_BACK,
  /** An answer that is not what the proxy promises. */
  INVALID_RESPONSE: STAY_AWAY,
  INVALID_REQUEST: STAY_AWAY,
  ORIGIN_NOT_ALLOWED: { semantics: 'stay-away', reason: 'origin_not_allowed' },
  NOT_FOUND: STAY_AWAY,
  METHOD_NOT_ALLOWED: STAY_AWAY,
  /** Only the ticket is spent: the session manager starts a new conversation. */
  RESUME_TICKET_INVALID: { semantics: 'stay-away', reason: 'session_expired' },
  PAYLOAD_TOO_LARGE: STAY_AWAY,
  UNSUPPORTED_MEDIA_TYPE: STAY_AWAY,
  RATE_LIMITED: COME_BACK,
  UPSTREAM_RATE_LIMITED: COME_BACK,
  /** The connector's token is refused: no retry can mend it. Source: CON-9. */
  CONNECTOR_REJECTED: { semantics: 'stay-away', reason: 'connector_rejected' },
  UPSTREAM_UNAVAILABLE: COME_BACK,
  UPSTREAM_INVALID_RESPONSE: COME_BACK,
  INTERNAL: COME_BACK,
};

const isFailureCode = (code: unknown): code is FailureCode =>
  typeof code === 'string' && Object.hasOwn(FAILURE_CODES, code);

/** The code of a refused call: the body's when it is known, else what the status says. Source: HTTP-5, HTTP-6. */
export function failureCodeOf(code: unknown, status: number): FailureCode {
  if (isFailureCode(code)) return code;
  if (status === 401 || status === 403) return 'ORIGIN_NOT_ALLOWED';
  if (status === 410) return 'RESUME_TICKET_INVALID';
  if (status === 429) return 'RATE_LIMITED';
  return status >= 500 ? 'UPSTREAM_UNAVAILABLE' : 'INVALID_REQUEST';
}
