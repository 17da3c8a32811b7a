import type { AdmittedRequest, RouteAnswer } from './admitted-request.ts';
import { authorizeRequest } from './authorize-request.ts';
import { parseContactRequest } from './parse-request.ts';
import type { ProxyContext } from './proxy-context.ts';
import { ProxyFailure } from './proxy-failure.ts';
import { readJsonRequest } from './read-json-request.ts';
import { storeContactRequest } from './store-contact-request.ts';
import { callHook } from './visitor-hooks.ts';

// A ticket, and a text of at most 2,000 characters, each of them at most 6 bytes of JSON in either half.
const MAX_BYTES = 49_152;

/**
 * Answers `POST /v1/contact`: the platform stores a contact request where it stores them, then the hook gets it. Once it is
 * stored somebody will read it, so a hook that fails then is a line in the log and no failure to the visitor.
 */
export async function handleContact(
  { options, upstream, address, tickets, log, describeFault }: ProxyContext,
  admitted: AdmittedRequest,
): Promise<RouteAnswer> {
  const { request, budget, correlationId } = admitted;
  const { onContactRequest } = options;
  const accepted: RouteAnswer = { body: { status: 'accepted' }, cookies: [] };
  const asked = parseContactRequest(await readJsonRequest(request, MAX_BYTES, budget.signal));
  const contents = await tickets.open(admitted, asked);
  await authorizeRequest(options, admitted, { route: 'contact', connector: contents.connector });
  const isStored =
    contents.storesContact &&
    (await storeContactRequest(upstream, address, contents, asked.contact, admitted));
  if (!isStored && onContactRequest === undefined) throw refuseContact();
  if (onContactRequest === undefined) return accepted;
  try {
    await callHook(onContactRequest, asked.contact, contents, admitted);
  } catch (error) {
    if (!isStored) throw error;
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
