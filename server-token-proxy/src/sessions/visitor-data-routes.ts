import { SETUP_ERRORS } from 'natter/protocol';
import type { AdmittedRequest, RouteAnswer } from '../http/admitted-request.ts';
import { readBody, ticketSchema } from '../http/read-body.ts';
import type { ProxyContext } from '../proxy-context.ts';
import { ProxyFailure } from '../proxy-failure.ts';
import { callSession, type UpstreamSession } from '../upstream/call-session.ts';
import type { Caller, Upstream } from '../upstream/call-upstream.ts';
import { openSession } from './open-session.ts';

/** Answers `POST /v1/data`: returns everything that the platform has stored about the visitor. Source: messaging.md 3.7. */
export async function handleData(proxy: ProxyContext, admitted: AdmittedRequest): Promise<RouteAnswer> {
  const asked = await readBody(admitted, ticketSchema);
  const contents = await openSession(proxy, admitted, asked, 'data');
  return { body: await callVisitorData(proxy.upstream, contents, 'data', admitted) };
}

/** Answers `POST /v1/erase`: erases everything that the platform has stored about the visitor. Source: messaging.md 3.7. */
export async function handleErase(proxy: ProxyContext, admitted: AdmittedRequest): Promise<RouteAnswer> {
  const { tickets } = proxy;
  const { request, origin } = admitted;
  const asked = await readBody(admitted, ticketSchema);
  const contents = await openSession(proxy, admitted, asked, 'data');
  await callVisitorData(proxy.upstream, contents, 'erase', admitted);
  await tickets.revoke(contents.sessionId);
  const isKept = tickets.cookie.isPossible(request.headers, origin);
  return {
    body: { status: 'erased' },
    cookies: isKept ? [await tickets.cookie.clear(origin, asked.connector)] : [],
  };
}

/**
 * Reads or erases the platform's data about a session's visitor. Streams the response, because it can be hundreds of
 * megabytes; an erasure returns no fields. Throws a `ProxyFailure`, or the signal's reason.
 */
async function callVisitorData(
  upstream: Upstream,
  session: UpstreamSession,
  what: 'data' | 'erase',
  caller: Caller,
): Promise<object> {
  const answer = await callSession(upstream, session, what, {}, caller, what === 'data');
  const { status, stream, knownText, logFields } = answer;
  if (status === 204) return {};
  if (stream !== null) return stream;
  // HTTP-6: 403 is treated as 401.
  if (status === 401 || status === 403 || knownText === SETUP_ERRORS.sessionNotFound.text) {
    throw new ProxyFailure('SESSION_NOT_FOUND', 'No data of this conversation is stored any more.', {
      logFields,
    });
  }
  throw new ProxyFailure(
    'DATA_NOT_AVAILABLE',
    'The messaging host does not let visitors see or erase their data here. Ask the company to do it.',
    { logFields },
  );
}
