import * as v from 'valibot';

/** A text that is not empty, without spaces around it. */
export const text = v.pipe(v.string('must be a text, in quotes'), v.trim(), v.nonEmpty('must not be empty'));

/** The error text for a value that is no list. */
export const LIST_HELP = 'must be a list, in square brackets';

/** Allowed characters and lengths of tokens and keys. */
export const CREDENTIAL: RegExp = /^[\x21-\x7e]{20,256}$/;

/** The error text for an invalid value. */
export const CREDENTIAL_HELP = 'must have 20 to 256 printable characters without spaces';

/** A token or a key. */
export const credential = v.pipe(text, v.regex(CREDENTIAL, CREDENTIAL_HELP));

/** A secret of which keys are derived. */
export const secret = v.pipe(text, v.minLength(32, 'must have at least 32 characters'));
