import { createNatter, isNatterError, type Natter } from '@natter/sdk';
import type { Connector } from '../options.ts';
import { ProxyFailure } from '../proxy-failure.ts';
import type { Caller, Upstream } from '../upstream/call-upstream.ts';

/** Codes of an ended or unknown conversation. Source: rest.md 3.4. */
const OVER: ReadonlySet<string> = new Set([
  'CHAT_TIMEOUT',
  'ChatConversationEnded',
  'CONVERSATIONS_NOT_FOUND',
]);

/** The error for a conversation that cannot continue. */
export function refuseEndedChat(): ProxyFailure {
  // The same text for every reason, because naming the failed check would only help a forger.
  return new ProxyFailure('CHAT_ENDED', 'This conversation has ended. Start a new one.');
}

function toFailure(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (!isNatterError(error)) return error;
  const { code, status, retryAfterMs } = error;
  const logFields = { upstreamStep: 'chat', upstreamStatus: status, upstreamCode: code };
  if (OVER.has(code)) return refuseEndedChat();
  if (status === 401 || status === 403) {
    return new ProxyFailure(
      'CONNECTOR_REJECTED',
      'The chat service does not accept this connector. Trying again will not help. The operator of the token proxy must check the API key, its chat permission, and the account and project.',
      { logFields },
    );
  }
  if (status === 429) {
    return new ProxyFailure(
      'UPSTREAM_RATE_LIMITED',
      'The chat service is receiving too many requests. Try again after the time given in Retry-After.',
      { retryAfterMs: retryAfterMs ?? 5_000, logFields },
    );
  }
  if (status === null || status >= 500) {
    return new ProxyFailure(
      'UPSTREAM_UNAVAILABLE',
      'The chat service did not answer. The message may have arrived.',
      { retryAfterMs: 5_000, logFields },
    );
  }
  return new ProxyFailure(
    'UPSTREAM_INVALID_RESPONSE',
    'The chat service answered in a way the token proxy does not understand. The operator of the token proxy must check the address, account and project of its chat access.',
    { logFields },
  );
}

/**
 * Calls the platform's turn-based chat for a visitor. Nothing is sent twice, because a turn may have run despite a
 * timeout; after a refusal the page decides when to retry. Throws a `ProxyFailure`, or the budget's reason. Source:
 * rest.md 3.
 */
export async function callChat<Answer>(
  upstream: Upstream,
  connector: Connector,
  caller: Caller,
  call: (
    chat: Natter['chat'],
    options: { readonly signal: AbortSignal; readonly correlationId: string },
  ) => Promise<Answer>,
): Promise<Answer> {
  const { chat: access, token } = connector;
  if (access === undefined) {
    throw new ProxyFailure(
      'CHAT_NOT_AVAILABLE',
      'This connector has no chat over REST. The operator of the token proxy can set it up.',
    );
  }
  const { visitorAddress, correlationId, budget } = caller;
  const { signal } = budget;
  const natter = createNatter({
    ...access,
    connectorToken: token,
    allowHostWithoutRegion: true,
    retries: 0,
    fetch: (input, init) => {
      const headers = new Headers(init?.headers);
      if (visitorAddress !== null) headers.set('X-Forwarded-For', visitorAddress);
      // A followed redirect would send the keys to a host that is not configured.
      return upstream.fetch(String(input), { ...init, headers, redirect: 'manual' });
    },
  });
  try {
    return await call(natter.chat, { signal, correlationId });
  } catch (error) {
    throw toFailure(error, signal);
  }
}
