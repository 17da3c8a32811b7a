import { createHmac, timingSafeEqual } from 'node:crypto';

/** A verified fact about the user. Source: section 15. */
export type ContextValue = string | number | boolean | null;

/** What a context token was found to be. `too_large` is a status of its own (3.6 row 6). */
export type ContextTokenVerdict =
  | { readonly kind: 'accepted'; readonly context: Readonly<Record<string, ContextValue>> }
  | { readonly kind: 'too_large' }
  | { readonly kind: 'invalid' };

const MAX_TOKEN_BYTES = 16_384;
const MAX_CONTEXT_BYTES = 8_192;
const MAX_LIFETIME_SECONDS = 30;
const SKEW_SECONDS = 5;
const BASE64URL = /^[A-Za-z0-9_-]+$/;

const INVALID: ContextTokenVerdict = { kind: 'invalid' };

/**
 * Checks a verified-context token against the table of section 15. `keys` maps key ids to secrets, used as the UTF-8
 * strings they were issued as; `nowSeconds` may be fractional.
 *
 * @example
 * const verdict = verifyContextToken(token, { contextId, keys, nowSeconds: Date.now() / 1000 });
 * if (verdict.kind === 'accepted') await store(verdict.context);
 */
export function verifyContextToken(
  token: string,
  check: {
    readonly contextId: string;
    readonly keys: ReadonlyMap<string, string>;
    readonly nowSeconds: number;
  },
): ContextTokenVerdict {
  if (Buffer.byteLength(token) > MAX_TOKEN_BYTES) return { kind: 'too_large' };
  const parts = token.split('.');
  const [header64, payload64, signature64] = parts;
  if (parts.length !== 3 || !header64 || !payload64 || !signature64) return INVALID;

  const header = decodeObject(header64);
  if (header === null || header['alg'] !== 'HS256') return INVALID;
  const kid = header['kid'];
  const secret = typeof kid === 'string' ? check.keys.get(kid) : undefined;
  if (secret === undefined || !BASE64URL.test(signature64)) return INVALID;
  const expected = createHmac('sha256', secret).update(`${header64}.${payload64}`).digest();
  const given = Buffer.from(signature64, 'base64url');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return INVALID;

  const payload = decodeObject(payload64);
  if (payload === null || payload['sub'] !== check.contextId) return INVALID;
  return hasValidTimes(payload, check.nowSeconds) ? readContext(payload['ctx']) : INVALID;
}

function hasValidTimes(payload: Readonly<Record<string, unknown>>, nowSeconds: number): boolean {
  const iat = payload['iat'];
  const exp = payload['exp'];
  if (typeof iat !== 'number' || typeof exp !== 'number') return false;
  const lifetime = exp - iat;
  if (!(lifetime > 0 && lifetime <= MAX_LIFETIME_SECONDS)) return false;
  return nowSeconds < exp + SKEW_SECONDS && iat <= nowSeconds + SKEW_SECONDS;
}

function readContext(ctx: unknown): ContextTokenVerdict {
  if (!isObject(ctx)) return INVALID;
  const context: Record<string, ContextValue> = Object.create(null);
  for (const [key, value] of Object.entries(ctx)) {
    if (!isContextValue(value)) return INVALID;
    context[key] = value;
  }
  if (Buffer.byteLength(JSON.stringify(context)) > MAX_CONTEXT_BYTES) return INVALID;
  return { kind: 'accepted', context: { ...context } };
}

function isContextValue(value: unknown): value is ContextValue {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

function decodeObject(part: string): Readonly<Record<string, unknown>> | null {
  if (!BASE64URL.test(part)) return null;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(part, 'base64url'));
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    // Bytes that are not UTF-8 and text that is not JSON are one and the same refusal.
    return null;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
