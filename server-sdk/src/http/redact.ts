/**
 * Replaces every occurrence of the given secrets in a text. Platform and network errors are foreign text: one that
 * quotes a header must not carry a key into the caller's logs.
 */
export function redact(text: string, secrets: readonly string[]): string {
  return secrets.reduce((left, secret) => left.replaceAll(secret, '[redacted]'), text);
}

/** What a thrown value says about a failed connection, in one line, such as `fetch failed (ECONNREFUSED)`. */
export function describeFailure(thrown: unknown, secrets: readonly string[]): string {
  if (!(thrown instanceof Error)) return 'The request failed';
  const { cause } = thrown;
  // fetch says no more than that it failed; the reason is one level deeper.
  const reason = findCode(thrown) ?? (cause instanceof Error && cause !== thrown ? cause.message : '');
  return redact(`${thrown.message || thrown.name}${reason === '' ? '' : ` (${reason})`}`, secrets);
}

// fetch wraps the failure of the socket once or twice; a cause that leads to itself must not hold us.
const MAX_CAUSES = 5;

/** The code of what made a connection fail, such as `ENOTFOUND`; null when nothing names one. */
export function findCode(thrown: unknown): string | null {
  let cause: unknown = thrown;
  for (let depth = 0; depth < MAX_CAUSES && typeof cause === 'object' && cause !== null; depth += 1) {
    // Of an `AbortError` it is a number.
    if ('code' in cause && typeof cause.code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(cause.code))
      return cause.code;
    const tried = 'errors' in cause && Array.isArray(cause.errors) ? (cause.errors[0] as unknown) : undefined;
    cause = tried ?? ('cause' in cause ? cause.cause : null);
  }
  return null;
}
