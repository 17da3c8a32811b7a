import * as v from 'valibot';
import type { AdmittedRequest, RouteAnswer } from '../http/admitted-request.ts';
import { MAX_TICKET_BODY_BYTES, readBody, ticketFields } from '../http/read-body.ts';
import type { ProxyContext } from '../proxy-context.ts';
import { openSession } from './open-session.ts';
import { submitContext } from './submit-context.ts';

/** The body of `POST /v1/context`. */
export const contextSchema = v.strictObject({
  ...ticketFields,
  token: v.pipe(v.string(), v.minLength(1), v.description('the signed context, a non-empty string')),
});

// A ticket, and a token of 16 kB (section 15); the platform refuses longer tokens, up to twice that size.
const MAX_BYTES = MAX_TICKET_BODY_BYTES + 32_768;

/** Answers `POST /v1/context`: sends a verified-context token to the platform. Source: messaging.md 3.6. */
export async function handleContext(proxy: ProxyContext, admitted: AdmittedRequest): Promise<RouteAnswer> {
  const asked = await readBody(admitted, contextSchema, MAX_BYTES);
  const contents = await openSession(proxy, admitted, asked, 'context');
  await submitContext(proxy.upstream, contents, asked.token, admitted);
  return { body: { status: 'accepted' } };
}
