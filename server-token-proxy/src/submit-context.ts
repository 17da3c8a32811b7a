import { SETUP_ERRORS } from 'natter/protocol';
import { callUpstream, type Upstream } from './call-upstream.ts';
import type { ErrorCode } from './error-codes.ts';
import { ProxyFailure } from './proxy-failure.ts';
import { type Caller, createUpstreamHeaders, type UpstreamAddress } from './start-session.ts';

/** What the platform's refusals are to a page, and what to do about each. Source: messaging.md 3.6. */
const REFUSALS: ReadonlyMap<string, readonly [ErrorCode, string]> = new Map([
  [
    SETUP_ERRORS.contextNotEnabled.text,
    [
      'CONTEXT_NOT_ENABLED',
      'Verified context is not on for this project. Whoever runs the platform can give the project a signing key.',
    ],
  ],
  [
    SETUP_ERRORS.contextTokenTooLarge.text,
    ['CONTEXT_TOKEN_TOO_LARGE', 'The context token is longer than 16384 bytes. Put fewer facts into it.'],
  ],
  [
    SETUP_ERRORS.invalidContextToken.text,
    [
      'INVALID_CONTEXT_TOKEN',
      'The platform does not accept this context token. Check its key id, its signature, that its subject is the context id, that it lives 30 seconds at most, and that its facts are flat.',
    ],
  ],
]);

/**
 * Hands a verified-context token to the platform for the session that it was made for. Throws a `ProxyFailure`, or the signal's
 * reason. Source: messaging.md 3.6, VCI-6.
 */
export async function submitContext(
  upstream: Upstream,
  address: UpstreamAddress,
  session: { readonly sessionId: string; readonly accessToken: string },
  token: string,
  caller: Caller,
): Promise<void> {
  const { status, knownText } = await callUpstream(
    upstream,
    {
      url: `${address.baseUrl}/api/v1/sessions/${encodeURIComponent(session.sessionId)}/context`,
      headers: {
        ...createUpstreamHeaders(address, caller),
        Authorization: `Bearer ${session.accessToken}`,
      },
      body: { token },
      finalTexts: new Set(),
    },
    caller.budget,
  );
  if (status >= 200 && status < 300) return;
  const logFields = { upstreamStep: 'context', upstreamStatus: status, upstreamText: knownText };
  const [code, message] = REFUSALS.get(knownText ?? '') ?? [];
  if (code !== undefined) throw new ProxyFailure(code, message ?? '', { logFields });
  // HTTP-6: 403 reads as 401.
  if (status === 401 || status === 403 || knownText === SETUP_ERRORS.sessionNotFound.text) {
    throw new ProxyFailure('SESSION_NOT_FOUND', 'This conversation is over. Start another.', { logFields });
  }
  // The reference service has such a call under another address, and a host that does not know ours says so.
  if (status === 404 || status === 405) {
    throw new ProxyFailure('CONTEXT_NOT_ENABLED', 'The messaging host takes no verified context here.', {
      logFields,
    });
  }
  throw new ProxyFailure(
    'UPSTREAM_INVALID_RESPONSE',
    'The chat service answered in a way the token proxy does not understand. Whoever runs the proxy has to check that its upstream URL is the messaging host.',
    { logFields },
  );
}
