/** True for an encrypted address, and for a plain one on this machine when that is allowed. Source: H-3. */
export function isUrlAllowed(text: string, allowInsecure = false): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return (
    /^(https|wss):$/.test(protocol) ||
    (allowInsecure && /^(http|ws):(localhost|127\.0\.0\.1|\[::1])$/.test(protocol + hostname))
  );
}
