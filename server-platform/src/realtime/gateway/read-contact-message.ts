import * as v from 'valibot';
import type { JsonBody } from '../../kit/http/index.ts';
import type { ContactMessage } from './contact-requests.ts';

/** Prevents line breaks in email headers. */
const ONE_LINE = /^[^\p{Cc}]*$/u;
const EMAIL = /^[^\s@\p{Cc}<>,;:"]+@[^\s@\p{Cc}<>,;:".]+(?:\.[^\s@\p{Cc}<>,;:".]+)+$/u;

const schema = v.object({
  name: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(100), v.regex(ONE_LINE)), ''),
  email: v.pipe(v.string(), v.trim(), v.maxLength(254), v.regex(EMAIL)),
  text: v.pipe(
    v.string(),
    v.trim(),
    v.nonEmpty(),
    v.maxLength(2_000),
    // PostgreSQL text cannot contain it.
    v.check((text) => !text.includes('\0')),
  ),
});

/** Reads the body of 3.8; null when it is malformed or a field is missing or invalid. */
export function readContactMessage(body: JsonBody): ContactMessage | null {
  const read = v.safeParse(schema, body.kind === 'object' ? body.fields : {});
  return read.success ? read.output : null;
}
