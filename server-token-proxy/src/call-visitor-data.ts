import { SETUP_ERRORS } from 'natter/protocol';
import { callUpstream, type Upstream } from './call-upstream.ts';
import { ProxyFailure } from './proxy-failure.ts';
import { type Caller, createUpstreamHeaders, type UpstreamAddress } from './start-session.ts';

/**
 * Reads or erases what the platform has stored about the visitor of a session, with the session's own token. Returns the
 * answer as it arrives, because visitors can have said hundreds of megabytes; no fields for an erasure. Throws a
 * `ProxyFailure`, or the signal's reason. Source: messaging.md 3.7.
 */
export async function callVisitorData(
  upstream: Upstream,
  address: UpstreamAddress,
  session: { readonly sessionId: string; readonly accessToken: string },
  what: 'data' | 'erase',
  caller: Caller,
): Promise<object> {
  const { status, stream, knownText } = await callUpstream(
    upstream,
    {
      url: `${address.baseUrl}/api/v1/sessions/${encodeURIComponent(session.sessionId)}/${what}`,
      headers: {
        ...createUpstreamHeaders(address, caller),
        Authorization: `Bearer ${session.accessToken}`,
      },
      body: {},
      finalTexts: new Set(),
      isStreamed: what === 'data',
    },
    caller.budget,
  );
  if (status === 204) return {};
  if (stream !== null) return stream;
  const logFields = { upstreamStep: what, upstreamStatus: status, upstreamText: knownText };
  // HTTP-6: 403 reads as 401.
  if (status === 401 || status === 403 || knownText === SETUP_ERRORS.sessionNotFound.text) {
    throw new ProxyFailure('SESSION_NOT_FOUND', 'Nothing of this conversation is stored any more.', {
      logFields,
    });
  }
  throw new ProxyFailure(
    'DATA_NOT_AVAILABLE',
    'The messaging host neither shows nor erases what it has stored here. Ask the company to do so.',
    { logFields },
  );
}
