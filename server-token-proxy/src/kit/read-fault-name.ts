/**
 * Returns the code of a network error (`ECONNREFUSED`), because its message may quote the address. `ETIMEDOUT` when
 * `timeout` ended the call, which clients report in different ways.
 */
export function readFaultName(error: unknown, timeout?: AbortSignal): string {
  if (timeout?.aborted) return 'ETIMEDOUT';
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,40}$/.test(code)) return code;
  return cause instanceof Error ? cause.name : 'unknown';
}
