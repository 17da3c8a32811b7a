import { validationError } from './rest-error.ts';

/** Refuses U+0000 in text fields, which PostgreSQL cannot store. Fails with a 400 that names them. */
export function refuseNulCharacters<Body extends object>(
  body: Body,
  fields: readonly (keyof Body & string)[],
): void {
  const errors = fields.flatMap((field) => {
    const value = body[field];
    const hasNul = typeof value === 'string' && value.includes('\u0000');
    return hasNul ? [{ field, message: 'must not contain the character U+0000' }] : [];
  });
  if (errors.length > 0) throw validationError(errors);
}
