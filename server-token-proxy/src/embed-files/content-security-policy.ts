/** What the widget on a page loads and from where. Addresses may have a path; only their origin counts. */
export interface WidgetSources {
  /** Address of the token proxy: `https://chat.example.com`. */
  readonly endpoint: string;
  /**
   * Address of the platform's socket, `wss://platform.example.com`; `https:` and a host alone are written as that, since a policy
   * lets neither stand for a socket. Without it the chat continues in turns over the proxy, if
   * the proxy has chat access.
   */
  readonly platform?: string | undefined;
  /**
   * Hosts of pictures beside the page's own and the proxy's: that of `data-avatar` and those in `data-image-hosts`. The widget
   * fetches none of others.
   */
  readonly images?: readonly string[] | undefined;
  /** Where the code comes from: `proxy` for the script tag, `page` where it is bundled with the page's own. */
  readonly code?: 'proxy' | 'page' | undefined;
}

/** Directives by name, each with its sources in the order in which they are written. */
export type ContentSecurityDirectives = Readonly<Record<string, readonly string[]>>;

/**
 * The origin of an address, or a host with or without `*.` as it is. Throws a `TypeError` for anything else: a semicolon
 * or a space would write another directive.
 */
function toSource(address: string): string {
  if (/^(\*\.)?[\w-]+(\.[\w-]+)*(:\d+)?$/.test(address)) return address;
  if (/^(https?|wss?):\/\/[^\s;,'"*]+$/i.test(address) && URL.canParse(address))
    return new URL(address).origin;
  throw new TypeError(`Not an address or a host of a Content Security Policy: ${address}`);
}

/** The source of a socket. */
function toSocketSource(address: string): string {
  const source = toSource(address);
  return source.includes('://') ? source.replace(/^http/, 'ws') : `wss://${source}`;
}

/** What the widget needs of a page's Content Security Policy, and nothing besides; merge it with what the page needs. */
export function contentSecurityDirectives(sources: WidgetSources): ContentSecurityDirectives {
  const proxy = toSource(sources.endpoint);
  return {
    'default-src': ["'none'"],
    'script-src': [sources.code === 'page' ? "'self'" : proxy],
    'style-src': ["'none'"],
    'connect-src': sources.platform ? [proxy, toSocketSource(sources.platform)] : [proxy],
    'img-src': ["'self'", proxy, ...(sources.images ?? []).map(toSource)],
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
    'require-trusted-types-for': ["'script'"],
    'trusted-types': ["'none'"],
  };
}

/**
 * The whole header for a page with nothing on it but the widget.
 *
 * @example
 * const policy = contentSecurityPolicy({
 *   endpoint: 'https://chat.example.com',
 *   platform: 'wss://platform.example.com',
 *   images: ['cdn.example.com'],
 * });
 */
export function contentSecurityPolicy(sources: WidgetSources): string {
  return Object.entries(contentSecurityDirectives(sources))
    .map(([name, values]) => [name, ...values].join(' '))
    .join('; ');
}
