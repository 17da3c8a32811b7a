/** Header that identifies a request in both sides' logs. Source: HTTP-2. */
export const CORRELATION_HEADER = 'X-Correlation-Id';

/**
 * Returns the text of any REST error body: the first string among `message`, `error`, `error_message`; null when there
 * is none. Source: HTTP-4.
 */
export function readErrorText(body: unknown): string | null {
  if (typeof body !== 'object' || body === null) return null;
  const fields = body as Readonly<Record<string, unknown>>;
  for (const key of ['message', 'error', 'error_message']) {
    const value = fields[key];
    if (typeof value === 'string') return value;
  }
  return null;
}
