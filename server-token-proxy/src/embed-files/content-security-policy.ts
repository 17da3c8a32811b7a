/** Sources that the widget loads from. Addresses may have a path, but only their origin counts. */
export interface WidgetSources {
  /** Address of the token proxy: `https://chat.example.com`. */
  readonly endpoint: string;
  /**
   * Address of the platform's socket, `wss://platform.example.com`; `https:` and a bare host are converted to that,
   * since in a policy neither allows a socket. Without it the chat continues in turns over the proxy, if the proxy has
   * chat access.
   */
  readonly platform?: string | undefined;
  /**
   * Hosts of pictures, besides the hosts of the page and of the proxy: list the hosts in `data-avatar` and
   * `data-image-hosts`. The widget loads pictures from no other host.
   */
  readonly images?: readonly string[] | undefined;
  /** Origin of the code: `proxy` for the script tag, `page` if it is bundled with the page. */
  readonly code?: 'proxy' | 'page' | undefined;
}

/** Directives by name, with their sources in order. */
export type ContentSecurityDirectives = Readonly<Record<string, readonly string[]>>;

/**
 * Returns the origin of an address, or a host with or without `*.` unchanged. Throws a `TypeError` for anything else,
 * because a semicolon or a space would start another directive.
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

/** The widget's minimal Content Security Policy; merge it with the page's own. */
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
 * The complete header for a page that contains nothing but the widget.
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
