import { SETUP_ERRORS } from 'natter/protocol';
import { type CallBudget, callUpstream, type Upstream, type UpstreamAnswer } from './call-upstream.ts';
import type { Connector } from './options.ts';
import type { SessionRequest } from './parse-request.ts';
import { ProxyFailure } from './proxy-failure.ts';
import {
  CONNECTOR_TEXTS,
  readGrantedToken,
  readMissingAgent,
  readSessionId,
  readStoresContact,
} from './read-upstream.ts';

/** A session and the only token that opens it. Source: TOK-3. */
export interface StartedSession {
  readonly sessionId: string;
  readonly accessToken: string;
  readonly expiresAtMs: number;
  /** The agent that the platform says it does not have, for the operator; null for none. */
  readonly missingAgent: string | null;
  /** Whether the platform stores contact requests of it. */
  readonly storesContact: boolean;
}

/** Where the set-up calls go and under which names. */
export interface UpstreamAddress {
  /** Base URL without a trailing slash. */
  readonly baseUrl: string;
  readonly correlationHeader: string;
  readonly userAgent: string;
}

/** On whose behalf a call goes upstream. */
export interface Caller {
  readonly correlationId: string;
  /** Null when it is not known. */
  readonly visitorAddress: string | null;
  readonly budget: CallBudget;
}

/**
 * Headers of every call upstream. The visitor's address goes along in `X-Forwarded-For`, alone: what the visitor wrote into
 * that header is not passed on. A platform that trusts this proxy counts visitors by it instead of the proxy.
 */
export function createUpstreamHeaders(
  { correlationHeader, userAgent }: Pick<UpstreamAddress, 'correlationHeader' | 'userAgent'>,
  { correlationId, visitorAddress }: Omit<Caller, 'budget'>,
): Readonly<Record<string, string>> {
  return {
    'Content-Type': 'application/json',
    Accept: 'application/json',
    'User-Agent': userAgent,
    [correlationHeader]: correlationId,
    ...(visitorAddress !== null && { 'X-Forwarded-For': visitorAddress }),
  };
}

const SESSION_FINAL_TEXTS: ReadonlySet<string> = new Set([SETUP_ERRORS.invalidAccessToken.text]);

function refuse(answer: UpstreamAnswer, step: 'token' | 'session', connectorHost: string): ProxyFailure {
  const { status: upstreamStatus, knownText: upstreamText } = answer;
  const logFields = { upstreamStep: step, upstreamStatus, upstreamText, connectorHost };
  const isConnectorText =
    step === 'token' && answer.knownText !== null && CONNECTOR_TEXTS.has(answer.knownText);
  // HTTP-6: 403 reads as 401.
  if (answer.status === 401 || answer.status === 403 || isConnectorText) {
    const quoted = answer.knownText === null ? '' : ` ("${answer.knownText}")`;
    return new ProxyFailure(
      'CONNECTOR_REJECTED',
      `The chat service does not accept this connector${quoted}. Trying again will not help: whoever runs the token proxy has to check the connector's token and registered host.`,
      { logFields },
    );
  }
  return new ProxyFailure(
    'UPSTREAM_INVALID_RESPONSE',
    'The chat service answered in a way the token proxy does not understand. Whoever runs the proxy has to check that its upstream URL is the messaging host.',
    { logFields },
  );
}

function isSuccess(answer: UpstreamAnswer): boolean {
  return answer.status >= 200 && answer.status < 300;
}

/**
 * Exchanges the connector token for a fresh access token and creates a session with it.
 *
 * Every call mints: a token is never kept for another session (TOK-7). Nothing of the visitor's request goes upstream but the
 * three named settings, the checked correlation id and the visitor's address. Throws a `ProxyFailure`, or the signal's reason.
 * Source: messaging.md 3.2, 3.4.
 */
export async function startSession(
  upstream: Upstream,
  address: UpstreamAddress,
  connector: Connector,
  request: SessionRequest,
  caller: Caller,
): Promise<StartedSession> {
  const { budget } = caller;
  const commonHeaders = createUpstreamHeaders(address, caller);
  const granting = await callUpstream(
    upstream,
    {
      url: `${address.baseUrl}/api/v1/access-token`,
      headers: { ...commonHeaders, 'X-Token': connector.token, 'X-Host': connector.host },
      body: {},
      finalTexts: CONNECTOR_TEXTS,
    },
    budget,
  );
  const granted = isSuccess(granting) ? readGrantedToken(granting.body) : null;
  if (granted === null) throw refuse(granting, 'token', connector.host);
  const expiresAtMs = upstream.clock.now() + granted.expiresInSeconds * 1_000;

  const creating = await callUpstream(
    upstream,
    {
      url: `${address.baseUrl}/api/v1/sessions`,
      headers: { ...commonHeaders, Authorization: `Bearer ${granted.accessToken}` },
      body: {
        platform: request.platform,
        streaming_enabled: request.streaming,
        ...(request.deviceType === null ? {} : { device_type: request.deviceType }),
      },
      finalTexts: SESSION_FINAL_TEXTS,
    },
    budget,
  );
  const sessionId = isSuccess(creating) ? readSessionId(creating.body) : null;
  if (sessionId === null) throw refuse(creating, 'session', connector.host);
  const missingAgent = readMissingAgent(creating.body);
  const storesContact = readStoresContact(creating.body);
  return { sessionId, accessToken: granted.accessToken, expiresAtMs, missingAgent, storesContact };
}
