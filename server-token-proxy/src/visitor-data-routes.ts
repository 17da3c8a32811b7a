import type { AdmittedRequest, RouteAnswer } from './admitted-request.ts';
import { authorizeRequest } from './authorize-request.ts';
import { callVisitorData } from './call-visitor-data.ts';
import { parseTicketRequest } from './parse-request.ts';
import type { ProxyContext } from './proxy-context.ts';
import { MAX_TICKET_BODY_BYTES, readJsonRequest } from './read-json-request.ts';

/** Answers `POST /v1/data`: returns everything that the platform has stored about the visitor. Source: messaging.md 3.7. */
export async function handleData(
  { options, tickets, upstream, address }: ProxyContext,
  admitted: AdmittedRequest,
): Promise<RouteAnswer> {
  const { request, budget } = admitted;
  const asked = parseTicketRequest(await readJsonRequest(request, MAX_TICKET_BODY_BYTES, budget.signal));
  const contents = await tickets.open(admitted, asked);
  await authorizeRequest(options, admitted, { route: 'data', connector: contents.connector });
  return { body: await callVisitorData(upstream, address, contents, 'data', admitted), cookies: [] };
}

/** Answers `POST /v1/erase`: erases everything that the platform has stored about the visitor. Source: messaging.md 3.7. */
export async function handleErase(
  { options, tickets, upstream, address }: ProxyContext,
  admitted: AdmittedRequest,
): Promise<RouteAnswer> {
  const { request, budget, origin } = admitted;
  const asked = parseTicketRequest(await readJsonRequest(request, MAX_TICKET_BODY_BYTES, budget.signal));
  const contents = await tickets.open(admitted, asked);
  await authorizeRequest(options, admitted, { route: 'data', connector: contents.connector });
  await callVisitorData(upstream, address, contents, 'erase', admitted);
  await tickets.revoke(contents.sessionId);
  const isKept = tickets.cookie.isPossible(request.headers, origin);
  return {
    body: { status: 'erased' },
    cookies: isKept ? [await tickets.cookie.clear(origin, asked.connector)] : [],
  };
}
