import { SETUP_ERRORS } from 'natter/protocol';
import type { ErrorCode } from '../error-codes.ts';
import { ProxyFailure } from '../proxy-failure.ts';
import { callSession, refuseStrangeAnswer, type UpstreamSession } from '../upstream/call-session.ts';
import type { Caller, Upstream } from '../upstream/call-upstream.ts';

/** The platform's refusals as reported to the page, with remedies. Source: messaging.md 3.6. */
const REFUSALS: ReadonlyMap<string, readonly [ErrorCode, string]> = new Map([
  [
    SETUP_ERRORS.contextNotEnabled.text,
    [
      'CONTEXT_NOT_ENABLED',
      'Verified context is not enabled for this project. The operator of the platform can give the project a signing key.',
    ],
  ],
  [
    SETUP_ERRORS.contextTokenTooLarge.text,
    ['CONTEXT_TOKEN_TOO_LARGE', 'The context token is longer than 16384 bytes. Include fewer values.'],
  ],
  [
    SETUP_ERRORS.invalidContextToken.text,
    [
      'INVALID_CONTEXT_TOKEN',
      'The platform does not accept this context token. Check its key id and signature, that its subject is the context id, that it is valid for at most 30 seconds, and that its values are flat.',
    ],
  ],
]);

/**
 * Submits a verified-context token to the platform for its session. Throws a `ProxyFailure`, or the signal's reason.
 * Source: messaging.md 3.6, VCI-6.
 */
export async function submitContext(
  upstream: Upstream,
  session: UpstreamSession,
  token: string,
  caller: Caller,
): Promise<void> {
  const { status, knownText, logFields } = await callSession(upstream, session, 'context', { token }, caller);
  if (status >= 200 && status < 300) return;
  const [code, message] = REFUSALS.get(knownText ?? '') ?? [];
  if (code !== undefined) throw new ProxyFailure(code, message ?? '', { logFields });
  // HTTP-6: 403 is treated as 401.
  if (status === 401 || status === 403 || knownText === SETUP_ERRORS.sessionNotFound.text) {
    throw new ProxyFailure('SESSION_NOT_FOUND', 'This conversation has ended. Start a new one.', {
      logFields,
    });
  }
  // The reference service has this endpoint under another address, and a host without ours responds like this.
  if (status === 404 || status === 405) {
    throw new ProxyFailure(
      'CONTEXT_NOT_ENABLED',
      'The messaging host does not accept verified context here.',
      {
        logFields,
      },
    );
  }
  throw refuseStrangeAnswer(logFields);
}
