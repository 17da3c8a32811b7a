import { SETUP_ERRORS } from 'natter/protocol';
import { callUpstream, type Upstream } from './call-upstream.ts';
import { ProxyFailure } from './proxy-failure.ts';
import { type Caller, createUpstreamHeaders, type UpstreamAddress } from './start-session.ts';
import type { ContactRequest } from './visitor-hooks.ts';

/**
 * Has the platform store a contact request with its session. Resolves with false where the platform has no such call, as the
 * reference service. Throws a `ProxyFailure`, or the signal's reason. Source: messaging.md 3.8.
 */
export async function storeContactRequest(
  upstream: Upstream,
  address: UpstreamAddress,
  session: { readonly sessionId: string; readonly accessToken: string },
  { name, email, text }: ContactRequest,
  caller: Caller,
): Promise<boolean> {
  const { status, knownText } = await callUpstream(
    upstream,
    {
      url: `${address.baseUrl}/api/v1/sessions/${encodeURIComponent(session.sessionId)}/contact`,
      headers: {
        ...createUpstreamHeaders(address, caller),
        Authorization: `Bearer ${session.accessToken}`,
      },
      body: { name, email, text },
      finalTexts: new Set(),
    },
    caller.budget,
  );
  if (status >= 200 && status < 300) return true;
  const logFields = { upstreamStep: 'contact', upstreamStatus: status, upstreamText: knownText };
  if (knownText === SETUP_ERRORS.sessionNotFound.text || knownText === SETUP_ERRORS.invalidAccessToken.text) {
    throw new ProxyFailure('SESSION_NOT_FOUND', 'Nothing of this conversation is stored any more.', {
      logFields,
    });
  }
  if (knownText === SETUP_ERRORS.invalidBody.text) {
    throw new ProxyFailure('INVALID_REQUEST', 'The chat service does not take this name, address or text.', {
      logFields,
    });
  }
  if (status === 404 || status === 405) return false;
  throw new ProxyFailure(
    'UPSTREAM_INVALID_RESPONSE',
    'The chat service answered in a way the token proxy does not understand. Whoever runs the proxy has to check that its upstream URL is the messaging host.',
    { logFields },
  );
}
