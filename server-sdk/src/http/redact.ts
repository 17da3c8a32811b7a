/**
 * Replaces every occurrence of the given secrets in a text, because platform and network errors may quote a header,
 * whose key must not reach the caller's logs.
 */
export function redact(text: string, secrets: readonly string[]): string {
  return secrets.reduce((left, secret) => left.replaceAll(secret, '[redacted]'), text);
}

/** Describes a failed connection in one line, such as `fetch failed (ECONNREFUSED)`. */
export function describeFailure(thrown: unknown, secrets: readonly string[]): string {
  if (!(thrown instanceof Error)) return 'The request failed';
  const { cause } = thrown;
  // fetch only reports that it failed; the reason is in the cause.
  const reason = findCode(thrown) ?? (cause instanceof Error && cause !== thrown ? cause.message : '');
  return redact(`${thrown.message || thrown.name}${reason === '' ? '' : ` (${reason})`}`, secrets);
}

// fetch wraps a socket error once or twice; the limit guards against cyclic causes.
const MAX_CAUSES = 5;

/** The code of a connection failure, such as `ENOTFOUND`; null when there is none. */
export function findCode(thrown: unknown): string | null {
  let cause: unknown = thrown;
  for (let depth = 0; depth < MAX_CAUSES && typeof cause === 'object' && cause !== null; depth += 1) {
    // The code of an `AbortError` is a number.
    if ('code' in cause && typeof cause.code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(cause.code))
      return cause.code;
    const tried = 'errors' in cause && Array.isArray(cause.errors) ? (cause.errors[0] as unknown) : undefined;
    cause = tried ?? ('cause' in cause ? cause.cause : null);
  }
  return null;
}
