/** Where a page's widget lives. */
export interface WidgetOrigins {
  /** Origin of the token proxy, which serves the script. */
  readonly proxy: string;
  /** Origin of the socket, `ws:` or `wss:`. */
  readonly socket: string;
}

/** The header under which the demo pages run: everything forbidden but what the site and the widget need. */
export function contentSecurityPolicy({ proxy, socket }: WidgetOrigins): string {
  return [
    "default-src 'none'",
    `script-src 'self' ${proxy}`,
    "style-src 'self'",
    `connect-src 'self' ${proxy} ${socket}`,
    `img-src 'self' ${proxy}`,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ');
}
