import { contentSecurityDirectives } from '@natter/token-proxy';

/** Where a page's widget lives. */
export interface WidgetOrigins {
  /** Origin of the token proxy, which serves the script. */
  readonly proxy: string;
  /** Origin of the socket, `ws:` or `wss:`. */
  readonly socket: string;
  /** Origin of the platform, which has the pictures of people at the desk. */
  readonly platform: string;
}

/** The header under which the demo pages run: everything forbidden but what the site and the widget need. */
export function demoPolicy({ proxy, socket, platform }: WidgetOrigins): string {
  const widget = contentSecurityDirectives({
    endpoint: proxy,
    platform: socket,
    images: [platform],
  });
  const withOwn = (name: string): readonly string[] => ["'self'", ...(widget[name] ?? [])];
  const directives = {
    ...widget,
    'script-src': withOwn('script-src'),
    'style-src': ["'self'"],
    'connect-src': withOwn('connect-src'),
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
  };
  return Object.entries(directives)
    .map(([name, sources]) => [name, ...sources].join(' '))
    .join('; ');
}
