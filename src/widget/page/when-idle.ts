import { pageDocument } from './page-document.ts';
import { readOwnGlobal } from './read-own-global.ts';

/** Calls `act` when the page is idle; in browsers without `requestIdleCallback`, when it has loaded. */
export function whenIdle(act: () => void): void {
  const requestIdle = readOwnGlobal('requestIdleCallback');
  if (requestIdle) requestIdle(act);
  else if (pageDocument.readyState === 'complete') act();
  else addEventListener('load', act, { once: true });
}
