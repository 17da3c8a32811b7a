import { SETUP_ERRORS } from 'natter/protocol';
import { ProxyFailure } from '../proxy-failure.ts';
import { callSession, refuseStrangeAnswer, type UpstreamSession } from '../upstream/call-session.ts';
import type { Caller, Upstream } from '../upstream/call-upstream.ts';
import type { ContactRequest } from './visitor-hooks.ts';

/**
 * Stores a contact request on the platform with its session. Resolves with false if the platform has no such endpoint,
 * like the reference service. Throws a `ProxyFailure`, or the signal's reason. Source: messaging.md 3.8.
 */
export async function storeContactRequest(
  upstream: Upstream,
  session: UpstreamSession,
  { name, email, text }: ContactRequest,
  caller: Caller,
): Promise<boolean> {
  const { status, knownText, logFields } = await callSession(
    upstream,
    session,
    'contact',
    { name, email, text },
    caller,
  );
  if (status >= 200 && status < 300) return true;
  if (knownText === SETUP_ERRORS.sessionNotFound.text || knownText === SETUP_ERRORS.invalidAccessToken.text) {
    throw new ProxyFailure('SESSION_NOT_FOUND', 'No data of this conversation is stored any more.', {
      logFields,
    });
  }
  if (knownText === SETUP_ERRORS.invalidBody.text) {
    throw new ProxyFailure(
      'INVALID_REQUEST',
      'The chat service does not accept this name, address or text.',
      {
        logFields,
      },
    );
  }
  if (status === 404 || status === 405) return false;
  throw refuseStrangeAnswer(logFields);
}
