/** How a WebSocket handshake was answered. */
export interface HandshakeAnswer {
  /** 101 when the far end accepted. */
  readonly status: number;
  /** The `Retry-After` header's text; null for none. */
  readonly retryAfter: string | null;
}

/**
 * Performs a WebSocket handshake and closes the socket at once. Rejects without an answer. No runtime's `WebSocket` reports the
 * status of a refused handshake, so each needs its own; `@natter/token-proxy/node` has the one for Node.
 *
 * `url` begins with `http:` or `https:` and holds an access token: it must not be logged.
 */
export type Handshake = (
  url: string,
  options: { readonly origin: string | null; readonly signal: AbortSignal },
) => Promise<HandshakeAnswer>;
