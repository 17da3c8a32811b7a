import { isFields, LIMITS } from '../../protocol/index.ts';

/**
 * The structure check a client makes before it resumes: three parts, a JSON object in the middle, not past
 * its time. The signature is the platform's business. Source: TOK-5.
 */
export function isTokenUsable(token: string, nowMs: number): boolean {
  const payload = /^[^.]+\.([\w-]+)\.[^.]*$/.exec(token)?.[1];
  if (!payload) return false;
  try {
    const claims: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
    if (!isFields(claims)) return false;
    const { exp } = claims;
    return exp === undefined || (typeof exp === 'number' && exp * 1000 + LIMITS.tokenSkewMs > nowMs);
  } catch {
    // Not base64url or not JSON: the structure check failed, which is the answer.
    return false;
  }
}
