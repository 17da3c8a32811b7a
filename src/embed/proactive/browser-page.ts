import { pageDocument } from '../../widget/index.ts';
import type { WatchedPage } from './watch-page.ts';

/** The page that the widget is on. */
export const browserPage: WatchedPage = {
  path() {
    try {
      return decodeURI(location.pathname);
    } catch {
      // The path is not valid UTF-8.
      return location.pathname;
    }
  },
  scrollPercent() {
    const { scrollHeight } = pageDocument.documentElement;
    const range = scrollHeight - innerHeight;
    // Rounded, because browsers end a scroll up to a pixel before the end.
    return range > 0 ? Math.round((scrollY / range) * 100) : 0;
  },
  isVisible: () => pageDocument.visibilityState === 'visible',
  listen(onChange, signal) {
    const onEvent = (): void => onChange(false);
    addEventListener('scroll', onEvent, { passive: true, signal });
    addEventListener('popstate', onEvent, { signal });
    pageDocument.addEventListener('visibilitychange', onEvent, { signal });
    // Pages that change their address without a load; where this is missing, the next other event notices it.
    if ('navigation' in window) window.navigation.addEventListener('currententrychange', onEvent, { signal });
    pageDocument.documentElement.addEventListener('mouseleave', ({ clientY }) => onChange(clientY <= 0), {
      signal,
    });
  },
};
