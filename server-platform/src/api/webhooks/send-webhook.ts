import type { WebhookAnswer } from '@natter/sdk';
import type { Clock } from '../../kit/clock.ts';
import { createOutboundClient, isOutboundError } from '../../kit/http/outbound/index.ts';

/** One attempt as it goes over the wire. */
export interface WebhookRequest {
  readonly endpointId: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly timeoutMs: number;
  /** Ends the attempt when the platform shuts down. */
  readonly signal: AbortSignal;
}

/** How an attempt ended, and one line about it for the operator. Source: WD-6, WD-8. */
export interface SentWebhook {
  readonly answer: WebhookAnswer;
  readonly outcome: string;
}

/** Makes one attempt; never rejects. */
export type SendWebhook = (request: WebhookRequest) => Promise<SentWebhook>;

/** What sending needs. */
export interface WebhookSenderOptions {
  readonly clock: Clock;
  readonly allowsPrivateAddresses: boolean;
  /** All addresses of a host name. Default: as for every client. */
  readonly resolve?: (hostname: string) => Promise<readonly string[]>;
}

// Longer than any `timeout_ms`, which ends an attempt that does not connect.
const CONNECT_TIMEOUT_MS = 60_000;

/**
 * Makes the function that sends webhooks. Each attempt is a POST over a separate connection, to an address that is
 * resolved and checked for it. Redirects are not followed, the body of the answer is not read. Source: WD-6, WD-8.
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

// The system's own texts may hold addresses; the list of deliveries shows codes.
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
