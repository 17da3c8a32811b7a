import type { FailureReason } from '../chat-state.ts';

/** Why there is no session, and whether the same call may succeed later. */
export interface Fault {
  readonly reason: FailureReason;
  readonly mayComeBack: boolean;
}

/** Codes of the proxy that no retry mends, and what each means to the visitor. Source: CON-9, ST-3. */
const FINAL: ReadonlyMap<unknown, FailureReason> = new Map([
  ['ORIGIN_NOT_ALLOWED', 'origin_not_allowed'],
  ['CONNECTOR_REJECTED', 'connector_rejected'],
  ['RESUME_TICKET_INVALID', 'session_expired'],
]);

/** What a call that brought no session means; status 0 is no answer at all. Source: HTTP-9. */
export function readFault(status: number, code?: unknown): Fault {
  const reason = FINAL.get(code);
  const mayPass = status === 0 || status === 429 || status >= 500;
  return { reason: reason ?? 'service_unavailable', mayComeBack: !reason && mayPass };
}
