import { invalidArgument } from '../errors/natter-error.ts';
import { signWebhook } from './sign-webhook.ts';
import { readSignedEventId, readWebhookEvent, type WebhookEvent } from './webhook-event.ts';
import { type HeadersInput, readWebhookHeader } from './webhook-headers.ts';

/** A delivery as it arrived. */
export interface WebhookDelivery {
  /** The raw body, before any parsing: signatures cover bytes. */
  readonly body: string | Uint8Array;
  readonly headers: HeadersInput;
  /** The endpoint's secret; several while it is being rotated. */
  readonly secret: string | readonly string[];
  /** Allowed difference of the sender's clock. Default 300. */
  readonly toleranceSeconds?: number;
  /** Milliseconds since 1970. Default: now. */
  readonly nowMs?: number;
}

/** Whether a delivery is genuine. */
export type WebhookVerification =
  | {
      readonly isValid: true;
      /**
       * The same for all attempts for one event: handle each id once. Taken from the signed body, which no one else can
       * change; only if it has none, from the header, or null.
       */
      readonly eventId: string | null;
      /** Time of this attempt, Unix seconds. */
      readonly timestamp: number;
      /** Null when the event is of a kind that this version does not know. */
      readonly event: WebhookEvent | null;
    }
  | {
      readonly isValid: false;
      /** `timestamp`: absent or malformed; `stale`: too old or too new; `signature`: absent or wrong. */
      readonly reason: 'timestamp' | 'stale' | 'signature';
    };

/** Allowed difference between timestamp and current time, in either direction. Source: WD-5. */
export const WEBHOOK_TOLERANCE_SECONDS = 300;

/**
 * Checks whether a delivery comes from the platform and is fresh. All secrets are tried, in constant time. A repeated
 * delivery passes: detect duplicates by `eventId`. Source: WD-5.
 * @throws NatterError `INVALID_ARGUMENT` when no secret is given
 */
export async function verifyWebhook(delivery: WebhookDelivery): Promise<WebhookVerification> {
  const {
    body,
    headers,
    secret,
    toleranceSeconds = WEBHOOK_TOLERANCE_SECONDS,
    nowMs = Date.now(),
  } = delivery;
  const secrets = typeof secret === 'string' ? [secret] : secret;
  if (secrets.length === 0 || secrets.includes('')) throw invalidArgument('secret', 'must not be empty');

  const written = readWebhookHeader(headers, 'timestamp');
  if (written === null || !/^[0-9]{1,12}$/.test(written)) {
    return { isValid: false, reason: 'timestamp' };
  }
  const timestamp = Number(written);
  if (Math.abs(Math.floor(nowMs / 1000) - timestamp) > toleranceSeconds)
    return { isValid: false, reason: 'stale' };

  const given = readWebhookHeader(headers, 'signature');
  if (given === null) return { isValid: false, reason: 'signature' };
  const expected = await Promise.all(
    secrets.map((each) => signWebhook({ secret: each, timestamp: written, body })),
  );
  // Without `some`, which would stop at the first match and reveal which secret it was.
  const matches = expected.filter((signature) => isEqualInConstantTime(signature, given));
  if (matches.length === 0) return { isValid: false, reason: 'signature' };
  return {
    isValid: true,
    eventId: readSignedEventId(body) ?? readWebhookHeader(headers, 'eventId'),
    timestamp,
    event: readWebhookEvent(body),
  };
}

function isEqualInConstantTime(expected: string, given: string): boolean {
  // The length of a signature is no secret.
  if (expected.length !== given.length) return false;
  let difference = 0;
  for (let index = 0; index < expected.length; index += 1) {
    difference |= expected.charCodeAt(index) ^ given.charCodeAt(index);
  }
  return difference === 0;
}
