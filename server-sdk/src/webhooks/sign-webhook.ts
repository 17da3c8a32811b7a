import { invalidArgument } from '../errors/natter-error.ts';

/** Input of a signature. */
export interface WebhookSignatureInput {
  /** The endpoint's secret with its prefix, used as UTF-8. */
  readonly secret: string;
  /** Unix seconds; a text is signed unchanged. */
  readonly timestamp: number | string;
  /** The body, byte for byte as sent. */
  readonly body: string | Uint8Array;
}

/**
 * Signs one attempt of a delivery: lower-case hex of HMAC-SHA256 over timestamp, full stop, body. Each attempt is
 * signed anew with its own time. Source: WD-3, WD-4.
 * @throws NatterError `INVALID_ARGUMENT` when the secret is empty
 */
export async function signWebhook({ secret, timestamp, body }: WebhookSignatureInput): Promise<string> {
  if (secret === '') throw invalidArgument('secret', 'must not be empty');
  const encoder = new TextEncoder();
  const prefix = encoder.encode(`${timestamp}.`);
  const payload = typeof body === 'string' ? encoder.encode(body) : body;
  const signed = new Uint8Array(prefix.length + payload.length);
  signed.set(prefix);
  signed.set(payload, prefix.length);
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['sign']);
  const signature = await crypto.subtle.sign('HMAC', key, signed);
  return Array.from(new Uint8Array(signature), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
