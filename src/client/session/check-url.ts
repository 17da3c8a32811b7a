/** True for an encrypted address, and for an unencrypted one on this machine if allowed. Source: H-3. */
export function isUrlAllowed(text: string, allowInsecure = false): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return (
    /^(https|wss):$/.test(protocol) ||
    (allowInsecure && /^(http|ws):(localhost|127\.0\.0\.1|\[::1])$/.test(protocol + hostname))
  );
}

/**
 * Resolves an address that begins with `/`, `./` or `../` against the page; returns others unchanged. Not against
 * `<base>`, which markup of the page may set.
 */
export function resolveEndpoint(endpoint: string): string {
  const page = globalThis.location?.href ?? '';
  return /^\.{0,2}\//.test(endpoint) && URL.canParse(endpoint, page)
    ? new URL(endpoint, page).href
    : endpoint;
}
