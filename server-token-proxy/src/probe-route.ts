import type { AdmittedRequest, RouteAnswer } from './admitted-request.ts';
import { parseProbeRequest } from './parse-request.ts';
import { probeSession } from './probe-session.ts';
import type { ProxyContext } from './proxy-context.ts';
import { MAX_TICKET_BODY_BYTES, readJsonRequest } from './read-json-request.ts';

/** Answers `POST /v1/probe`: tries a session's handshake for a page whose own failed. Source: messaging.md 4.1, CLS-1. */
export async function handleProbe(
  { connectors, upstream, reach, websocketUrl, isPlatformUp, findings }: ProxyContext,
  { request, budget, origin }: AdmittedRequest,
): Promise<RouteAnswer> {
  const pair = parseProbeRequest(await readJsonRequest(request, MAX_TICKET_BODY_BYTES, budget.signal));
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
    cookies: [],
  };
}
