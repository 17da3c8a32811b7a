import { base64url } from 'jose';
import { LIMITS } from 'natter/protocol';
import { isRecord } from '../kit/is-record.ts';

const BASE64URL = /^[A-Za-z0-9_-]*$/;

function readPayload(segment: string): Readonly<Record<string, unknown>> | null {
  try {
    const payload: unknown = JSON.parse(
      new TextDecoder('utf-8', { fatal: true }).decode(base64url.decode(segment)),
    );
    return isRecord(payload) ? payload : null;
  } catch {
    // Invalid base64url, UTF-8 or JSON all mean "not a token".
    return null;
  }
}

/**
 * Whether an access token is usable for its session, judged by its structure only: three dot-separated base64url parts,
 * a JSON object as payload, and `exp + 5 s` in the future. Without `exp` it never expires; the signature may be empty.
 * Source: TOK-5.
 */
export function isUsableAccessToken(token: string, nowMs: number): boolean {
  const [header, payloadPart, signature, ...rest] = token.split('.');
  if (!header || !payloadPart || signature === undefined || rest.length > 0) return false;
  if (![header, payloadPart, signature].every((part) => BASE64URL.test(part))) return false;
  const payload = readPayload(payloadPart);
  if (payload === null) return false;
  if (!Object.hasOwn(payload, 'exp')) return true;
  const expiresAt = payload['exp'];
  return (
    typeof expiresAt === 'number' && Number.isFinite(expiresAt) && !hasTokenExpired(expiresAt * 1_000, nowMs)
  );
}

/** Whether a token with this expiry has expired by more than the allowed skew of 5 s. Source: TOK-5. */
export function hasTokenExpired(expiresAtMs: number, nowMs: number): boolean {
  return expiresAtMs + LIMITS.tokenSkewMs <= nowMs;
}
