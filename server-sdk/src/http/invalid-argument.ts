import { NatterError } from '../errors/natter-error.ts';

/** The error for an argument that cannot be sent. */
export function invalidArgument(field: string, message: string): NatterError {
  return new NatterError({
    code: 'INVALID_ARGUMENT',
    text: `${field} ${message}`,
    fieldErrors: [{ field, message }],
  });
}
