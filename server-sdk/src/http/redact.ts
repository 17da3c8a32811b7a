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
  const code =
    typeof cause === 'object' && cause !== null && 'code' in cause && typeof cause.code === 'string'
      ? cause.code
      : '';
  return redact(`${thrown.message || thrown.name}${code === '' ? '' : ` (${code})`}`, secrets);
}
