import * as v from 'valibot';
import type { AdmittedRequest, RouteAnswer } from '../http/admitted-request.ts';
import { connectorField, readBody, ticketSchema } from '../http/read-body.ts';
import type { ProxyContext } from '../proxy-context.ts';
import { isProxyFailure } from '../proxy-failure.ts';
import type { UpstreamSession } from '../upstream/call-session.ts';
import { probeSession } from './probe-session.ts';

const ANSWERED = 'the one of a session answer';

/** The body of `POST /v1/probe` from a page that has session id and token. */
export const pairSchema = v.strictObject({
  connector: connectorField,
  session_id: v.pipe(v.string(), v.minLength(1), v.maxLength(512), v.description(ANSWERED)),
  // Characters of a token in a session response, because it is inserted into a URL.
  access_token: v.pipe(v.string(), v.regex(/^[\x21-\x7e]{1,8192}$/), v.description(ANSWERED)),
});

/**
 * Handles `POST /v1/probe`: tries a session's handshake for a page whose own failed. Pages with a relayed socket have
 * no token, and identify the session by their ticket. Source: messaging.md 4.1, CLS-1.
 */
export async function handleProbe(proxy: ProxyContext, admitted: AdmittedRequest): Promise<RouteAnswer> {
  const { connectors, upstream, reach, websocketUrl, isPlatformUp, findings } = proxy;
  const { budget, origin } = admitted;
  const pair = await readPair(proxy, admitted);
  if (pair === null) return { body: { handshake: 'refused' } };
  const probe = { reach, websocketUrl, isPlatformUp, attemptTimeoutMs: upstream.attemptTimeoutMs };
  const answer = await probeSession(probe, pair, origin, budget);
  const connector = connectors.get(pair.connector);
  if (answer.reason === 'origin' && origin !== null && connector !== undefined)
    findings.originRefused(pair.connector, origin);
  // An outage of the whole platform says nothing about this address.
  if (answer.handshake === 'unknown' && answer.fault !== undefined) findings.socketUnreachable(answer.fault);
  const hasChat = connector?.chat !== undefined;
  return {
    body: answer.handshake === 'accepted' ? { ...answer, has_chat: hasChat } : answer,
  };
}

interface ProbedSession extends UpstreamSession {
  readonly connector: string;
}

/** Session id and token from the body, or from a relay's ticket; `null` for an invalid or expired ticket. */
async function readPair(
  { relayTickets, tickets }: ProxyContext,
  admitted: AdmittedRequest,
): Promise<ProbedSession | null> {
  if (relayTickets === null) {
    const asked = await readBody(admitted, pairSchema);
    return { connector: asked.connector, sessionId: asked.session_id, accessToken: asked.access_token };
  }
  const asked = await readBody(admitted, ticketSchema);
  try {
    return await tickets.open(admitted, asked);
  } catch (error) {
    if (isProxyFailure(error) && error.code === 'RESUME_TICKET_INVALID') return null;
    throw error;
  }
}
