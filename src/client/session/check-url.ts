const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** True for an encrypted address, and for a plain one on this machine when that is allowed. Source: H-3. */
export function isUrlAllowed(url: string, allowInsecure: boolean): boolean {
  if (!URL.canParse(url)) return false;
  const parsed = new URL(url);
  const isEncrypted = parsed.protocol === 'https:' || parsed.protocol === 'wss:';
  const isPlain = parsed.protocol === 'http:' || parsed.protocol === 'ws:';
  return isEncrypted || (isPlain && allowInsecure && LOOPBACK.has(parsed.hostname));
}
