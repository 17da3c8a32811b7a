/** The response to a WebSocket handshake. */
export interface HandshakeAnswer {
  /** 101 if the handshake was accepted. */
  readonly status: number;
  /** The `Retry-After` header's text; null for none. */
  readonly retryAfter: string | null;
}

/**
 * Performs a WebSocket handshake and closes the socket immediately. Rejects without a response. No runtime's
 * `WebSocket` reports the status of a refused handshake, so each runtime needs an implementation;
 * `@natter/token-proxy/node` has one for Node.
 *
 * `url` begins with `http:` or `https:` and contains an access token, so it must not be logged.
 */
export type Handshake = (
  url: string,
  options: { readonly origin: string | null; readonly signal: AbortSignal },
) => Promise<HandshakeAnswer>;
