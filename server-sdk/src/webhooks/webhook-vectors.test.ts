import { describe, expect, it } from 'vitest';
import { loadVectors } from '../../../test/load-vectors.ts';
import {
  judgeWebhookAnswer,
  nextWebhookDelayMs,
  signWebhook,
  verifyWebhook,
  WEBHOOK_SCHEDULE,
  type WebhookAnswer,
} from '../index.ts';

interface Vectors {
  readonly sign: readonly { name: string; secret: string; timestamp: string; body: string; expect: string }[];
  readonly verify: readonly {
    name: string;
    now: number;
    secret: string;
    timestamp: string | null;
    body: string;
    signature: string | null;
    expect: boolean;
    reason?: string;
  }[];
  readonly outcomes: readonly { name: string; outcome: WebhookAnswer; expect: string }[];
  readonly schedule: readonly { attempt: number; delay_seconds: number; since_first_seconds: number }[];
}

const vectors = loadVectors<Vectors>('webhook-signature');

describe('webhook vectors', () => {
  it.each(vectors.sign)(
    'signs a webhook as the vector "$name" (WD-4)',
    async ({ expect: expected, ...input }) => {
      expect(await signWebhook(input)).toBe(expected);
      expect(await signWebhook({ ...input, body: new TextEncoder().encode(input.body) })).toBe(expected);
    },
  );

  it.each(vectors.verify)(
    'verifies a webhook as the vector: $name (WD-5)',
    async ({ now, secret, timestamp, body, signature, ...outcome }) => {
      for (const names of [
        ['X-Webhook-Timestamp', 'X-Webhook-Signature'],
        ['X-PolyAI-Timestamp', 'X-PolyAI-Signature'],
      ] as const) {
        const headers = {
          ...(timestamp === null ? {} : { [names[0]]: timestamp }),
          ...(signature === null ? {} : { [names[1]]: signature }),
        };
        const result = await verifyWebhook({ body, headers, secret, nowMs: now * 1000 });
        expect(result.isValid).toBe(outcome.expect);
        expect(result.isValid ? undefined : result.reason).toBe(outcome.reason);
      }
    },
  );

  it.each(vectors.outcomes)(
    "judges a receiver's answer as the vector: $name (WD-6, WD-8)",
    ({ outcome, expect: expected }) => {
      expect(judgeWebhookAnswer(outcome)).toBe(expected);
    },
  );

  it('schedules six webhook attempts as the vectors (WD-7)', () => {
    const schedule = vectors.schedule.map((entry) => ({
      attempt: entry.attempt,
      delaySeconds: entry.delay_seconds,
      sinceFirstSeconds: entry.since_first_seconds,
    }));
    expect(WEBHOOK_SCHEDULE).toEqual(schedule);
    const delays = schedule.slice(1).map(({ delaySeconds }) => delaySeconds * 1000);
    expect([1, 2, 3, 4, 5].map(nextWebhookDelayMs)).toEqual(delays);
    expect([0, 6, 7].map(nextWebhookDelayMs)).toEqual([null, null, null]);
  });
});
