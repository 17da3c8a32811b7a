import type { FailureReason } from '../chat-state.ts';

/** Why there is no session, and whether the same call may succeed later. */
export interface Fault {
  readonly reason: FailureReason;
  readonly mayComeBack: boolean;
}

/** What no retry mends, and what it means to the visitor: codes of the proxy, and statuses of gateways without one. Source: CON-9, ST-3. */
const FINAL: ReadonlyMap<unknown, FailureReason> = new Map<unknown, FailureReason>([
  ['ORIGIN_NOT_ALLOWED', 'origin_not_allowed'],
  [401, 'origin_not_allowed'],
  [403, 'origin_not_allowed'],
  ['CONNECTOR_REJECTED', 'connector_rejected'],
  ['RESUME_TICKET_INVALID', 'session_expired'],
  [410, 'session_expired'],
]);

/** No answer, or one that says so: it may pass. */
export const UNREACHABLE: Fault = { reason: 'service_unavailable', mayComeBack: true };
/** An answer that is not what the proxy promises. */
export const UNREADABLE: Fault = { reason: 'service_unavailable', mayComeBack: false };

/** What a refused call means: by its code, else by its own word on retries, else by its status. Source: HTTP-5, HTTP-6. */
export function readFault(code: unknown, isRetryable: unknown, status: number): Fault {
  const reason = FINAL.get(code ?? status);
  if (reason) return { reason, mayComeBack: false };
  const mayPass = typeof isRetryable === 'boolean' ? isRetryable : status === 429 || status >= 500;
  return mayPass ? UNREACHABLE : UNREADABLE;
}
