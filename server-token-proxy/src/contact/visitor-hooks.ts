import type { AdmittedRequest } from '../http/admitted-request.ts';
import { callHook } from '../http/call-hook.ts';
import type { TokenProxyOptions } from '../options.ts';
import { ProxyFailure } from '../proxy-failure.ts';

/** The conversation that a hook is called for. */
export interface VisitorContext {
  /** Id of the session on the platform, which identifies the conversation. */
  readonly sessionId: string;
  /** Name of the connector. */
  readonly connector: string;
  /** The page's origin; null when the caller sent none. */
  readonly origin: string | null;
  readonly signal: AbortSignal;
}

/** A visitor's rating of one answer. The last one per message counts. Source: messaging.md, EXT-3. */
export interface VisitorFeedback {
  readonly messageId: string;
  /** `null` withdraws an earlier rating. */
  readonly rating: 'up' | 'down' | null;
  /** The visitor's own text, at most 1,000 characters; `null` for none. */
  readonly reason: string | null;
}

/** A request for an answer by email, left while the team was away. Every field is untrusted input from the visitor. */
export interface ContactRequest {
  /** One line of at most 100 characters; empty if the visitor gave none. */
  readonly name: string;
  /** Has the form of an address, and at most 254 characters; not verified to be the visitor's. */
  readonly email: string;
  /** At most 2,000 characters. */
  readonly text: string;
}

/** Returns the further features listed in a session response: those with a hook, or stored by the platform. */
export function listOffers(
  { onFeedback, onContactRequest }: TokenProxyOptions,
  storesContact: boolean,
): readonly string[] {
  return [
    ...(storesContact || onContactRequest !== undefined ? ['contact'] : []),
    ...(onFeedback === undefined ? [] : ['feedback']),
  ];
}

/**
 * Calls a hook with a visitor's input. Rejects with `NOT_FOUND` if there is no such hook. A failed hook counts as a
 * failure of the proxy, so that the page retries.
 */
export async function callVisitorHook<Value>(
  hook: ((value: Value, context: VisitorContext) => void | Promise<void>) | undefined,
  value: Value,
  { sessionId, connector }: Pick<VisitorContext, 'sessionId' | 'connector'>,
  { origin, budget }: AdmittedRequest,
): Promise<void> {
  if (hook === undefined) {
    throw new ProxyFailure(
      'NOT_FOUND',
      'This chat does not support this call. Its session answer lists what it supports.',
    );
  }
  const { signal } = budget;
  const context: VisitorContext = { sessionId, connector, origin, signal };
  await callHook(() => hook(value, context), signal);
}
