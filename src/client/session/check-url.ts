/** True for an encrypted address, and for a plain one on this machine when that is allowed. Source: H-3. */
export function isUrlAllowed(text: string, allowInsecure = false): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return (
    /^(https|wss):$/.test(protocol) ||
    (allowInsecure && /^(http|ws):(localhost|127\.0\.0\.1|\[::1])$/.test(protocol + hostname))
  );
}

/**
 * An address that begins with `/`, `./` or `../`, resolved against the page; anything else as it is. Not against
 * `<base>`, which markup of the page may set.
 */
export function resolveEndpoint(endpoint: string): string {
  const page = globalThis.location?.href ?? '';
  return /^\.{0,2}\//.test(endpoint) && URL.canParse(endpoint, page)
    ? new URL(endpoint, page).href
    : endpoint;
}
