import { signWebhook } from './sign-webhook.ts';

/** Which names the delivery headers have. Source: section 2. */
export type WebhookHeaderStyle = 'neutral' | 'vendor' | 'both';

/** The three delivery headers. Source: WD-3. */
export type WebhookHeader = 'timestamp' | 'signature' | 'eventId';

/** Names of the delivery headers in the two spellings. Source: section 2. */
export const WEBHOOK_HEADERS: Readonly<
  Record<'neutral' | 'vendor', Readonly<Record<WebhookHeader, string>>>
> = {
  neutral: {
    timestamp: 'X-Webhook-Timestamp',
    signature: 'X-Webhook-Signature',
    eventId: 'X-Webhook-Event-ID',
  },
  vendor: { timestamp: 'X-PolyAI-Timestamp', signature: 'X-PolyAI-Signature', eventId: 'X-PolyAI-Event-ID' },
};

/** One attempt of a delivery. */
export interface WebhookAttempt {
  readonly secret: string;
  readonly body: string | Uint8Array;
  /** UUID of the event for this endpoint, the same in all attempts. */
  readonly eventId: string;
  /** Time of this attempt, milliseconds since 1970. */
  readonly nowMs: number;
  readonly style?: WebhookHeaderStyle;
}

/** The headers of one attempt, signed. Source: WD-3, WD-4. */
export async function writeWebhookHeaders(
  attempt: WebhookAttempt,
): Promise<Readonly<Record<string, string>>> {
  const { secret, body, eventId, nowMs, style = 'neutral' } = attempt;
  const timestamp = String(Math.floor(nowMs / 1000));
  const values = { timestamp, signature: await signWebhook({ secret, timestamp, body }), eventId };
  const styles = style === 'both' ? (['neutral', 'vendor'] as const) : [style];
  return Object.fromEntries([
    ['Content-Type', 'application/json'],
    ...styles.flatMap((each) => [
      [WEBHOOK_HEADERS[each].timestamp, values.timestamp],
      [WEBHOOK_HEADERS[each].signature, values.signature],
      [WEBHOOK_HEADERS[each].eventId, values.eventId],
    ]),
  ]);
}

/** Headers as runtimes hand them over: a `Headers` object, or a record whose values may be lists. */
export type HeadersInput = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** The value of a delivery header in either spelling, the neutral one first; null when it is absent. */
export function readWebhookHeader(headers: HeadersInput, header: WebhookHeader): string | null {
  return (
    readHeader(headers, WEBHOOK_HEADERS.neutral[header]) ??
    readHeader(headers, WEBHOOK_HEADERS.vendor[header])
  );
}

function readHeader(headers: HeadersInput, name: string): string | null {
  if (headers instanceof Headers) return headers.get(name);
  const lower = name.toLowerCase();
  for (const [key, value] of Object.entries(headers)) {
    if (value === undefined || key.toLowerCase() !== lower) continue;
    // A repeated header is joined as Headers would, which no timestamp or signature survives.
    return typeof value === 'string' ? value : value.join(', ');
  }
  return null;
}
