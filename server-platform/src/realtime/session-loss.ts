/**
 * Why this node can no longer write a session:
 * - `stale_owner`: another node owns it by now.
 * - `session_closed`: it is ended or expired.
 * - `session_missing`: it was deleted.
 */
export type SessionLossCode = 'stale_owner' | 'session_closed' | 'session_missing';

/** This node lost the session, or the session is over; nothing was written. Recognise it with {@link isSessionLoss}. */
export class SessionLossError extends Error {
  override readonly name = 'SessionLossError';
  readonly code: SessionLossCode;
  /** The owner node; null when unknown. */
  readonly owner: string | null;

  constructor(code: SessionLossCode, owner: string | null = null) {
    super(code === 'stale_owner' ? 'Another node owns the session.' : 'The session is over.');
    this.code = code;
    this.owner = owner;
  }
}

/** Whether a caught value is a {@link SessionLossError}. */
export function isSessionLoss(error: unknown): error is SessionLossError {
  return error instanceof Error && error.name === 'SessionLossError';
}

/** Whether another node owns the session. */
export function isStaleOwner(error: unknown): boolean {
  return isSessionLoss(error) && error.code === 'stale_owner';
}
