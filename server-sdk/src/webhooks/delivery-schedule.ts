/** How one attempt ended: an HTTP status, or no answer at all. */
export type WebhookAnswer = { readonly status: number } | { readonly error: 'timeout' | 'network' };

/** The next step: done, another attempt, or giving up. */
export type WebhookOutcome = 'delivered' | 'retry' | 'final';

/** One attempt of a delivery. */
export interface WebhookScheduleEntry {
  /** From 1. */
  readonly attempt: number;
  readonly delaySeconds: number;
  readonly sinceFirstSeconds: number;
}

// Delay before each attempt, after the one before. Source: WD-7.
const DELAYS_SECONDS = [0, 60, 300, 900, 3600, 14_400];

/** The six attempts. Source: WD-7. */
export const WEBHOOK_SCHEDULE: readonly WebhookScheduleEntry[] = DELAYS_SECONDS.map(
  (delaySeconds, index) => ({
    attempt: index + 1,
    delaySeconds,
    sinceFirstSeconds: DELAYS_SECONDS.slice(0, index + 1).reduce((sum, delay) => sum + delay, 0),
  }),
);

/**
 * What an answer means: any 2xx is a success; time-outs, network errors, 408, 429 and 5xx are tried again; redirects
 * and everything else is final. Source: WD-6, WD-8.
 */
export function judgeWebhookAnswer(answer: WebhookAnswer): WebhookOutcome {
  if ('error' in answer) return 'retry';
  const { status } = answer;
  if (status >= 200 && status < 300) return 'delivered';
  return status === 408 || status === 429 || (status >= 500 && status < 600) ? 'retry' : 'final';
}

/** Milliseconds from attempt `attempt` (from 1) to the next; null when that was the last. Source: WD-7, WD-8. */
export function nextWebhookDelayMs(attempt: number): number | null {
  const delay = DELAYS_SECONDS[attempt];
  return attempt < 1 || delay === undefined ? null : delay * 1000;
}
