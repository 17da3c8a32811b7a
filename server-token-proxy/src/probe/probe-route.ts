import * as v from 'valibot';
import type { AdmittedRequest, RouteAnswer } from '../http/admitted-request.ts';
import { connectorField, readBody, ticketSchema } from '../http/read-body.ts';
import type { ProxyContext } from '../proxy-context.ts';
import { isProxyFailure } from '../proxy-failure.ts';
import type { UpstreamSession } from '../upstream/call-session.ts';
import { probeSession } from './probe-session.ts';

const ANSWERED = 'the one of a session answer';

/** The body of `POST /v1/probe`, where the page has the pair. */
export const pairSchema = v.strictObject({
  connector: connectorField,
  session_id: v.pipe(v.string(), v.minLength(1), v.maxLength(512), v.description(ANSWERED)),
  // What a session answer can carry; it goes into a URL next.
  access_token: v.pipe(v.string(), v.regex(/^[\x21-\x7e]{1,8192}$/), v.description(ANSWERED)),
});

/**
 * Answers `POST /v1/probe`: tries a session's handshake for a page whose own failed. Pages whose socket is relayed have no token
 * to give, and name the session by their ticket. Source: messaging.md 4.1, CLS-1.
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
  // A platform that is away as a whole is no matter of this address.
  if (answer.handshake === 'unknown' && answer.fault !== undefined) findings.socketUnreachable(answer.fault);
  const hasChat = connector?.chat !== undefined;
  return {
    body: answer.handshake === 'accepted' ? { ...answer, has_chat: hasChat } : answer,
  };
}

interface ProbedSession extends UpstreamSession {
  readonly connector: string;
}

/** The pair of the body, or of the ticket of a relay; `null` for a ticket that is no good any more. */
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
