import type { WebhookAnswer } from '@natter/sdk';
import type { Clock } from '../../kit/clock.ts';
import { createOutboundClient, isOutboundError } from '../../kit/http/outbound/index.ts';

/** An attempt's HTTP request. */
export interface WebhookRequest {
  readonly endpointId: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly timeoutMs: number;
  /** Aborts the attempt when the platform shuts down. */
  readonly signal: AbortSignal;
}

/** Result of an attempt, with one line for the operator. Source: WD-6, WD-8. */
export interface SentWebhook {
  readonly answer: WebhookAnswer;
  readonly outcome: string;
}

/** Makes one attempt; never rejects. */
export type SendWebhook = (request: WebhookRequest) => Promise<SentWebhook>;

/** Options of the webhook sender. */
export interface WebhookSenderOptions {
  readonly clock: Clock;
  readonly allowsPrivateAddresses: boolean;
  /** Resolves a host name to all its addresses. Default: as for every outbound client. */
  readonly resolve?: (hostname: string) => Promise<readonly string[]>;
}

// Longer than any `timeout_ms`, which then applies to connecting as well.
const CONNECT_TIMEOUT_MS = 60_000;

/**
 * Makes the function that sends webhooks. Each attempt is a POST over a separate connection, to an address resolved and
 * checked for that attempt. Redirects are not followed, and the response body is not read. Source: WD-6, WD-8.
 */
export function createWebhookSender(options: WebhookSenderOptions): SendWebhook {
  const client = createOutboundClient({
    ...options,
    keepsConnections: false,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
  });
  return async ({ url, headers, body, timeoutMs, signal }) => {
    const limits = { totalTimeoutMs: timeoutMs, maxBytes: 0 };
    try {
      const answer = await client.send({ url, method: 'POST', headers, body, limits, signal });
      answer.discard();
      return { answer: { status: answer.status }, outcome: `HTTP ${answer.status}` };
    } catch (error) {
      return describeFailure(error, timeoutMs);
    }
  };
}

// System error texts may contain addresses; the list of deliveries shows codes.
function describeFailure(error: unknown, timeoutMs: number): SentWebhook {
  const answer = { error: 'network' } as const;
  if (!isOutboundError(error)) return { answer, outcome: 'network error' };
  switch (error.code) {
    case 'timeout':
      return { answer: { error: 'timeout' }, outcome: `timeout (${timeoutMs} ms)` };
    case 'address_refused':
      return { answer, outcome: 'refused: private address' };
    case 'upgraded':
      return { answer: { status: 101 }, outcome: 'HTTP 101' };
    default:
      return {
        answer,
        outcome: error.systemCode === null ? 'network error' : `network error (${error.systemCode})`,
      };
  }
}
