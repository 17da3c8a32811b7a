import type { AdmittedRequest, RouteAnswer } from './admitted-request.ts';
import { authorizeRequest } from './authorize-request.ts';
import { parseContextRequest } from './parse-request.ts';
import type { ProxyContext } from './proxy-context.ts';
import { MAX_TICKET_BODY_BYTES, readJsonRequest } from './read-json-request.ts';
import { submitContext } from './submit-context.ts';

// A ticket, and a token of 16 kB (section 15); a longer token is for the platform to refuse, up to twice of that.
const MAX_BYTES = MAX_TICKET_BODY_BYTES + 32_768;

/** Answers `POST /v1/context`: sends a verified-context token to the platform. Source: messaging.md 3.6. */
export async function handleContext(proxy: ProxyContext, admitted: AdmittedRequest): Promise<RouteAnswer> {
  const { request, budget } = admitted;
  const asked = parseContextRequest(await readJsonRequest(request, MAX_BYTES, budget.signal));
  const contents = await proxy.tickets.open(admitted, asked);
  await authorizeRequest(proxy.options, admitted, { route: 'context', connector: contents.connector });
  await submitContext(proxy.upstream, proxy.address, contents, asked.token, admitted);
  return { body: { status: 'accepted' }, cookies: [] };
}
