import type { AdmittedRequest, Authorize, RouteAnswer } from './admitted-request.ts';
import type { Upstream } from './call-upstream.ts';
import type { TokenProxyOptions } from './options.ts';
import { parseContactRequest, type TicketRequest } from './parse-request.ts';
import { ProxyFailure } from './proxy-failure.ts';
import { readJsonRequest } from './read-json-request.ts';
import type { TicketContents } from './resume-ticket.ts';
import type { UpstreamAddress } from './start-session.ts';
import { storeContactRequest } from './store-contact-request.ts';
import { callHook } from './visitor-hooks.ts';

/** Says that a hook has failed whose failure the visitor is not told. */
export type HookFailed = (hook: string, error: unknown, correlationId: string) => void;

interface ContactRouteOptions {
  readonly options: Pick<TokenProxyOptions, 'onContactRequest'>;
  readonly upstream: Upstream;
  readonly address: UpstreamAddress;
  readonly openTicket: (admitted: AdmittedRequest, asked: TicketRequest) => Promise<TicketContents>;
  readonly authorize: Authorize;
  readonly onHookFailed: HookFailed;
}

// A ticket, and a text of at most 2,000 characters, each of them at most 6 bytes of JSON in either half.
const MAX_BYTES = 49_152;

/**
 * Makes the route of contact requests: stored by the platform where it stores them, then handed to the hook. Once it is
 * stored somebody will read it, so a hook that fails then is a line in the log and no failure to the visitor.
 */
export function createContactRoute({
  options: { onContactRequest },
  ...route
}: ContactRouteOptions): (admitted: AdmittedRequest) => Promise<RouteAnswer> {
  const accepted: RouteAnswer = { body: { status: 'accepted' }, cookies: [] };
  return async (admitted) => {
    const { request, budget, correlationId } = admitted;
    const asked = parseContactRequest(await readJsonRequest(request, MAX_BYTES, budget.signal));
    const contents = await route.openTicket(admitted, asked);
    await route.authorize(admitted, { route: 'contact', connector: contents.connector });
    const isStored =
      contents.storesContact &&
      (await storeContactRequest(route.upstream, route.address, contents, asked.contact, admitted));
    if (!isStored && onContactRequest === undefined) throw refuseContact();
    if (onContactRequest === undefined) return accepted;
    try {
      await callHook(onContactRequest, asked.contact, contents, admitted);
    } catch (error) {
      if (!isStored) throw error;
      route.onHookFailed('onContactRequest', error, correlationId);
    }
    return accepted;
  };
}

function refuseContact(): ProxyFailure {
  return new ProxyFailure(
    'NOT_FOUND',
    'Contact requests are not set up here: the messaging host stores none, and the token proxy has no onContactRequest hook.',
  );
}
