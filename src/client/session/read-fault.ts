import type { FailureReason } from '../chat-state.ts';

/** Why there is no session, and whether the same call may succeed later. */
export interface Fault {
  readonly reason: FailureReason;
  readonly isTemporary: boolean;
}

/** Final codes of the proxy, and their meaning for the visitor. Source: CON-9, ST-3. */
const FINAL: ReadonlyMap<unknown, FailureReason> = new Map([
  ['ORIGIN_NOT_ALLOWED', 'origin_not_allowed'],
  ['CONNECTOR_REJECTED', 'connector_rejected'],
  ['RESUME_TICKET_INVALID', 'session_expired'],
]);

/** The fault of a call without a session; status 0 means no response. Source: HTTP-9. */
export function readFault(status: number, code?: unknown): Fault {
  const reason = FINAL.get(code);
  const mayPass = status === 0 || status === 429 || status >= 500;
  return { reason: reason ?? 'service_unavailable', isTemporary: !reason && mayPass };
}
