import * as v from 'valibot';
import type { AdmittedRequest, RouteAnswer } from '../http/admitted-request.ts';
import { ONE_LINE, readBody, ticketFields } from '../http/read-body.ts';
import type { ProxyContext } from '../proxy-context.ts';
import { ProxyFailure } from '../proxy-failure.ts';
import { openSession } from '../sessions/open-session.ts';
import { storeContactRequest } from './store-contact-request.ts';
import { callVisitorHook } from './visitor-hooks.ts';

const MAX_TEXT_CHARACTERS = 2_000;
const EMAIL = /^[^\s@\p{Cc}<>,;:"]+@[^\s@\p{Cc}<>,;:".]+(?:\.[^\s@\p{Cc}<>,;:".]+)+$/u;

/** The body of `POST /v1/contact`. */
export const contactSchema = v.strictObject({
  ...ticketFields,
  name: v.pipe(
    v.optional(v.string(), ''),
    v.trim(),
    v.maxLength(100),
    v.regex(ONE_LINE),
    v.description('one line of at most 100 characters'),
  ),
  email: v.pipe(
    v.string(),
    v.trim(),
    v.maxLength(254),
    v.regex(EMAIL),
    v.description('an email address such as name@example.com'),
  ),
  text: v.pipe(
    v.string(),
    v.trim(),
    v.nonEmpty(),
    v.maxLength(MAX_TEXT_CHARACTERS),
    // No platform can store it.
    v.check((text) => !text.includes('\0')),
    v.description(`what the visitor asks, not blank and at most ${MAX_TEXT_CHARACTERS} characters`),
  ),
});

// A ticket, and a text of at most 2,000 characters, with at most 6 bytes of JSON per UTF-16 unit.
const MAX_BYTES = 49_152;

/**
 * Handles `POST /v1/contact`: the platform stores the request if it supports that, then the hook receives it. A stored
 * request will be read by staff, so a later failure of the hook is logged but hidden from the visitor.
 */
export async function handleContact(proxy: ProxyContext, admitted: AdmittedRequest): Promise<RouteAnswer> {
  const { upstream, log, describeFault } = proxy;
  const { onContactRequest } = proxy.options;
  const accepted: RouteAnswer = { body: { status: 'accepted' } };
  const asked = await readBody(admitted, contactSchema, MAX_BYTES);
  const contents = await openSession(proxy, admitted, asked, 'contact');
  const { name, email, text } = asked;
  const contact = { name, email, text };
  const isStored =
    contents.storesContact && (await storeContactRequest(upstream, contents, contact, admitted));
  if (!isStored && onContactRequest === undefined) throw refuseContact();
  if (onContactRequest === undefined) return accepted;
  try {
    await callVisitorHook(onContactRequest, contact, contents, admitted);
  } catch (error) {
    if (!isStored) throw error;
    const { correlationId } = admitted;
    log.error({ hook: 'onContactRequest', correlationId, fault: describeFault(error) }, 'hook failed');
  }
  return accepted;
}

function refuseContact(): ProxyFailure {
  return new ProxyFailure(
    'NOT_FOUND',
    'Contact requests are not set up here: the messaging host stores none, and the token proxy has no onContactRequest hook.',
  );
}
