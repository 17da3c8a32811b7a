import type { LogFields } from '../kit/log.ts';
import { ProxyFailure } from '../proxy-failure.ts';
import { type Caller, callUpstream, type Upstream, type UpstreamAnswer } from './call-upstream.ts';

/** A session on the platform, and the token that is valid for it only. */
export interface UpstreamSession {
  readonly sessionId: string;
  readonly accessToken: string;
}

/**
 * POSTs to an endpoint of a session on the platform, with the session's token. Throws a `ProxyFailure` when it gives
 * up, or the signal's reason. Source: messaging.md 3.6 to 3.8.
 */
export async function callSession(
  upstream: Upstream,
  { sessionId, accessToken }: UpstreamSession,
  call: string,
  body: Readonly<Record<string, unknown>>,
  caller: Caller,
  isStreamed = false,
): Promise<UpstreamAnswer & { readonly logFields: LogFields }> {
  const answer = await callUpstream(
    upstream,
    {
      path: `/api/v1/sessions/${encodeURIComponent(sessionId)}/${call}`,
      headers: { Authorization: `Bearer ${accessToken}` },
      body,
      isStreamed,
    },
    caller,
  );
  const { status, knownText } = answer;
  const logFields = { upstreamStep: call, upstreamStatus: status, upstreamText: knownText };
  return { ...answer, logFields };
}

/** The error for a response that does not come from a messaging host. */
export const refuseStrangeAnswer = (logFields: LogFields): ProxyFailure =>
  new ProxyFailure(
    'UPSTREAM_INVALID_RESPONSE',
    'The chat service answered in a way the token proxy does not understand. The operator of the token proxy must check that its upstream URL is the messaging host.',
    { logFields },
  );
