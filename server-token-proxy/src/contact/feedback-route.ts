import * as v from 'valibot';
import type { AdmittedRequest, RouteAnswer } from '../http/admitted-request.ts';
import { MAX_TICKET_BODY_BYTES, readBody, ticketFields } from '../http/read-body.ts';
import type { ProxyContext } from '../proxy-context.ts';
import { openSession } from '../sessions/open-session.ts';
import { callVisitorHook } from './visitor-hooks.ts';

const MAX_REASON_CHARACTERS = 1_000;

/** The body of `POST /v1/feedback`. */
export const feedbackSchema = v.strictObject({
  ...ticketFields,
  message_id: v.pipe(
    v.string(),
    v.minLength(1),
    v.maxLength(512),
    v.description('the id of a message of the automated agent'),
  ),
  rating: v.pipe(v.nullable(v.picklist(['up', 'down'])), v.description('up, down or null')),
  reason: v.pipe(
    v.optional(v.nullable(v.string()), null),
    v.check((text) => [...(text ?? '')].length <= MAX_REASON_CHARACTERS),
    v.description(`a text of at most ${MAX_REASON_CHARACTERS} characters, or null`),
  ),
});

// A ticket, and a reason of at most 1,000 characters, with at most 6 bytes of JSON per UTF-16 unit.
const MAX_BYTES = MAX_TICKET_BODY_BYTES + 32_768;

/** Handles `POST /v1/feedback`: passes a visitor's rating to the `onFeedback` hook. Source: messaging.md, EXT-6. */
export async function handleFeedback(proxy: ProxyContext, admitted: AdmittedRequest): Promise<RouteAnswer> {
  const asked = await readBody(admitted, feedbackSchema, MAX_BYTES);
  const contents = await openSession(proxy, admitted, asked, 'feedback');
  const { message_id: messageId, rating, reason } = asked;
  await callVisitorHook(proxy.options.onFeedback, { messageId, rating, reason }, contents, admitted);
  return { body: { status: 'accepted' } };
}
