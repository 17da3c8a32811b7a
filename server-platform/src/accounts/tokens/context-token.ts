import { compactVerify } from 'jose';

/** A verified fact about the user. Source: section 15. */
export type ContextValue = string | number | boolean | null;

/** The verdict on a context token. `too_large` is a separate status (3.6 row 6). */
export type ContextTokenVerdict =
  | { readonly kind: 'accepted'; readonly context: Readonly<Record<string, ContextValue>> }
  | { readonly kind: 'too_large' }
  | { readonly kind: 'invalid' };

const MAX_TOKEN_BYTES = 16_384;
const MAX_CONTEXT_BYTES = 8_192;
const MAX_LIFETIME_SECONDS = 30;
const SKEW_SECONDS = 5;
const COMPACT = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/;

const INVALID: ContextTokenVerdict = { kind: 'invalid' };

/**
 * Checks a verified-context token against the table of section 15. `keys` maps key ids to secrets, used as the UTF-8
 * strings they were issued as; `nowSeconds` may be fractional.
 *
 * @example
 * const verdict = await verifyContextToken(token, { contextId, keys, nowSeconds: Date.now() / 1000 });
 * if (verdict.kind === 'accepted') await store(verdict.context);
 */
export async function verifyContextToken(
  token: string,
  check: {
    readonly contextId: string;
    readonly keys: ReadonlyMap<string, string>;
    readonly nowSeconds: number;
  },
): Promise<ContextTokenVerdict> {
  if (Buffer.byteLength(token) > MAX_TOKEN_BYTES) return { kind: 'too_large' };
  const payload = await readSignedPayload(token, check.keys);
  if (payload === null || payload['sub'] !== check.contextId) return INVALID;
  // `jwtVerify` rounds times and has no maximum lifetime.
  return hasValidTimes(payload, check.nowSeconds) ? readContext(payload['ctx']) : INVALID;
}

/** Returns the payload of a token signed with one of the keys; null for any other. */
async function readSignedPayload(
  token: string,
  keys: ReadonlyMap<string, string>,
): Promise<Readonly<Record<string, unknown>> | null> {
  if (!COMPACT.test(token)) return null;
  try {
    const { payload } = await compactVerify(token, ({ kid }) => findKey(kid, keys), {
      algorithms: ['HS256'],
    });
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload));
    return isObject(value) ? value : null;
  } catch {
    // Unknown key, wrong signature, invalid UTF-8 and invalid JSON are refused alike.
    return null;
  }
}

function findKey(kid: unknown, keys: ReadonlyMap<string, string>): Uint8Array {
  const secret = typeof kid === 'string' ? keys.get(kid) : undefined;
  if (secret === undefined) throw new Error('unknown key id');
  return new TextEncoder().encode(secret);
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

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
