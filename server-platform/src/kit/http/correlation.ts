import { randomUUID } from 'node:crypto';

/** The header that every response returns, and the vendor's spelling of it. Source: HTTP-2. */
export const CORRELATION_HEADER = 'X-Correlation-Id';
export const VENDOR_CORRELATION_HEADER = 'X-PolyAI-Correlation-Id';

const ACCEPTABLE = /^[A-Za-z0-9._-]{1,64}$/;

/**
 * Returns the request's correlation id if well-formed, otherwise a new one. `read` gets a header by name. Source:
 * HTTP-2.
 */
export function correlationIdFrom(read: (name: string) => string | null | undefined): string {
  const received = read(CORRELATION_HEADER) ?? read(VENDOR_CORRELATION_HEADER) ?? '';
  return ACCEPTABLE.test(received) ? received : randomUUID();
}
