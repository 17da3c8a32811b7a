/** Error response of the desk API: status and remedy. */
export class DeskError extends Error {
  override readonly name = 'DeskError';
  /** Of HTTP: 400 to 599. */
  readonly status: number;
  readonly code: string;
  readonly retryAfterSeconds: number | null;

  constructor(status: number, code: string, message: string, retryAfterSeconds: number | null = null) {
    super(message);
    this.status = status;
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Whether something thrown is a {@link DeskError}. */
export function isDeskError(error: unknown): error is DeskError {
  return error instanceof Error && error.name === 'DeskError';
}

/** The refusals that several calls share. */
export const REFUSALS = {
  notSignedIn: () => new DeskError(401, 'NOT_SIGNED_IN', 'Sign in first: POST /desk/api/sign-in.'),
  notAllowed: (role: string) => new DeskError(403, 'NOT_ALLOWED', `This needs the role ${role}.`),
  notYours: () =>
    new DeskError(403, 'NOT_YOURS', 'Another person has this conversation, or the offer has expired.'),
  noRequest: () => new DeskError(404, 'NOT_FOUND', 'This request doesn’t exist or isn’t in your queues.'),
  tooLate: () => new DeskError(409, 'TOO_LATE', 'The request has changed in the meantime: reload it.'),
  tryAgain: () =>
    new DeskError(503, 'TRY_AGAIN', 'The conversation could not be reached: send the request again.', 1),
} as const;
