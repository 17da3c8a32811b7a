/**
 * Why an account, project or connector could not be changed.
 *
 * - `invalid`: a value is not acceptable; the message names it and what to write.
 * - `exists`: the name is already in use.
 * - `not_found`: the named item does not exist.
 */
export type AccountErrorCode = 'invalid' | 'exists' | 'not_found';

/** An expected failure of the accounts' functions, with a message for the caller. */
export class AccountError extends Error {
  override readonly name: string = 'AccountError';
  readonly code: AccountErrorCode;
  readonly retryable: boolean = false;

  constructor(code: AccountErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Whether something thrown is an {@link AccountError}. */
export function isAccountError(error: unknown): error is AccountError {
  return error instanceof Error && error.name === 'AccountError' && 'code' in error;
}
