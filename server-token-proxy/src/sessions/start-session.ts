import { SETUP_ERRORS } from 'natter/protocol';
import * as v from 'valibot';
import { connectorField } from '../http/read-body.ts';
import type { Connector } from '../options.ts';
import { ProxyFailure } from '../proxy-failure.ts';
import { refuseStrangeAnswer } from '../upstream/call-session.ts';
import { type Caller, callUpstream, type Upstream, type UpstreamAnswer } from '../upstream/call-upstream.ts';
import {
  CONNECTOR_TEXTS,
  readGrantedToken,
  readMissingAgent,
  readSessionId,
  readStoresContact,
} from '../upstream/read-upstream.ts';

const PLATFORMS = ['web', 'ios', 'android', 'custom', 'ios-web', 'android-web'] as const;
const DEVICE_TYPES = ['mobile', 'tablet', 'desktop'] as const;

/** A page's settings for a new session. Source: messaging.md 3.4. */
export const sessionSchema = v.strictObject({
  connector: connectorField,
  platform: v.pipe(v.optional(v.picklist(PLATFORMS), 'web'), v.description(`one of ${PLATFORMS.join(', ')}`)),
  device_type: v.pipe(
    v.optional(v.picklist(DEVICE_TYPES)),
    v.description(`one of ${DEVICE_TYPES.join(', ')}`),
  ),
  streaming: v.pipe(v.optional(v.boolean(), true), v.description('true or false')),
});

/** A session and the only token that opens it. Source: TOK-3. */
export interface StartedSession {
  readonly sessionId: string;
  readonly accessToken: string;
  readonly expiresAtMs: number;
  /** The missing agent that the platform reports, for the operator; null for none. */
  readonly missingAgent: string | null;
  /** Whether the platform stores the session's contact requests. */
  readonly storesContact: boolean;
}

/** Settings of a new session. */
type SessionSettings = v.InferOutput<typeof sessionSchema> & {
  /** `null`: the platform chooses. */
  readonly variantId: string | null;
};

const SESSION_FINAL_TEXTS: ReadonlySet<string> = new Set([SETUP_ERRORS.invalidAccessToken.text]);

function refuse(answer: UpstreamAnswer, step: 'token' | 'session', connectorHost: string): ProxyFailure {
  const { status: upstreamStatus, knownText: upstreamText } = answer;
  const logFields = { upstreamStep: step, upstreamStatus, upstreamText, connectorHost };
  const isConnectorText =
    step === 'token' && answer.knownText !== null && CONNECTOR_TEXTS.has(answer.knownText);
  // HTTP-6: 403 is treated as 401.
  if (answer.status === 401 || answer.status === 403 || isConnectorText) {
    const quoted = answer.knownText === null ? '' : ` ("${answer.knownText}")`;
    return new ProxyFailure(
      'CONNECTOR_REJECTED',
      `The chat service does not accept this connector${quoted}. Trying again will not help. The operator of the token proxy must check the connector's token and registered host.`,
      { logFields },
    );
  }
  return refuseStrangeAnswer(logFields);
}

function isSuccess(answer: UpstreamAnswer): boolean {
  return answer.status >= 200 && answer.status < 300;
}

/**
 * Exchanges the connector token for a fresh access token and creates a session with it.
 *
 * Every call mints a new token, which is never reused for another session (TOK-7). Of the visitor's request only the
 * three named settings, the hooks' results, the validated correlation id and the visitor's address are sent upstream.
 * Throws a `ProxyFailure`, or the signal's reason. Source: messaging.md 3.2, 3.4.
 */
export async function startSession(
  upstream: Upstream,
  connector: Connector,
  { platform, streaming, device_type, variantId }: SessionSettings,
  caller: Caller,
): Promise<StartedSession> {
  const granting = await callUpstream(
    upstream,
    {
      path: '/api/v1/access-token',
      headers: { 'X-Token': connector.token, 'X-Host': connector.host },
      body: {},
      finalTexts: CONNECTOR_TEXTS,
    },
    caller,
  );
  const granted = isSuccess(granting) ? readGrantedToken(granting.body) : null;
  if (granted === null) throw refuse(granting, 'token', connector.host);
  const expiresAtMs = upstream.clock.now() + granted.expiresInSeconds * 1_000;

  const creating = await callUpstream(
    upstream,
    {
      path: '/api/v1/sessions',
      headers: { Authorization: `Bearer ${granted.accessToken}` },
      body: {
        ...{ platform, streaming_enabled: streaming },
        ...(device_type !== undefined && { device_type }),
        ...(variantId !== null && { variant_id: variantId }),
      },
      finalTexts: SESSION_FINAL_TEXTS,
    },
    caller,
  );
  const sessionId = isSuccess(creating) ? readSessionId(creating.body) : null;
  if (sessionId === null) throw refuse(creating, 'session', connector.host);
  const missingAgent = readMissingAgent(creating.body);
  const storesContact = readStoresContact(creating.body);
  return { sessionId, accessToken: granted.accessToken, expiresAtMs, missingAgent, storesContact };
}
