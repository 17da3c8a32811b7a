import type { FailureReason } from '../chat-state.ts';

/** Why there is no session, and whether the same call may succeed later. */
export interface Fault {
  readonly reason: FailureReason;
  readonly mayComeBack: boolean;
}

/** Codes of the proxy that no retry mends, and what each means to the visitor. Source: CON-9, ST-3. */
const FINAL_CODES: Readonly<Record<string, FailureReason>> = {
  ORIGIN_NOT_ALLOWED: 'origin_not_allowed',
  CONNECTOR_REJECTED: 'connector_rejected',
  RESUME_TICKET_INVALID: 'session_expired',
};
/** What a gateway in front of the proxy means, which says no code. */
const CODES_OF_STATUS: Readonly<Record<number, string>> = {
  401: 'ORIGIN_NOT_ALLOWED',
  403: 'ORIGIN_NOT_ALLOWED',
  410: 'RESUME_TICKET_INVALID',
};

/** No answer, or one that says so: it may pass. */
export const UNREACHABLE: Fault = { reason: 'service_unavailable', mayComeBack: true };
/** An answer that is not what the proxy promises. */
export const UNREADABLE: Fault = { reason: 'service_unavailable', mayComeBack: false };

/** What a refused call means: by its code, else by its own word on retries, else by its status. Source: HTTP-5, HTTP-6. */
export function readFault(code: unknown, isRetryable: unknown, status: number): Fault {
  const name = typeof code === 'string' ? code : (CODES_OF_STATUS[status] ?? '');
  const reason = Object.hasOwn(FINAL_CODES, name) ? FINAL_CODES[name] : undefined;
  if (reason) return { reason, mayComeBack: false };
  const mayPass = typeof isRetryable === 'boolean' ? isRetryable : status === 429 || status >= 500;
  return mayPass ? UNREACHABLE : UNREADABLE;
}
