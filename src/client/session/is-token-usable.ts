import { LIMITS } from '../../protocol/index.ts';

/** The payload of a JWT, or null when it is not three parts with a JSON object in the middle. */
function readClaims(token: string): Readonly<Record<string, unknown>> | null {
  const parts = token.split('.');
  const [header, payload] = parts;
  if (parts.length !== 3 || !header || !payload || !/^[\w-]+$/.test(payload)) return null;
  try {
    const claims: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
    return typeof claims === 'object' && claims !== null && !Array.isArray(claims) ? { ...claims } : null;
  } catch {
    // Not base64url or not JSON: the structure check failed, which is the answer.
    return null;
  }
}

/** The structure check a client makes before it resumes; the signature is the platform's business. Source: TOK-5. */
export function isTokenUsable(token: string, nowMs: number): boolean {
  const claims = readClaims(token);
  if (!claims) return false;
  const exp = claims['exp'];
  if (exp === undefined) return true;
  return typeof exp === 'number' && exp * 1000 + LIMITS.tokenSkewMs > nowMs;
}
