import { pageDocument } from './page-document.ts';
import { readOwnGlobal } from './read-own-global.ts';

/** A busy page delays the call no longer than this. */
const MAX_WAIT_MS = 2_000;

/** Calls `act` when the page is idle; in browsers without `requestIdleCallback`, when it has loaded. */
export function whenIdle(act: () => void): void {
  const requestIdle = readOwnGlobal('requestIdleCallback');
  if (requestIdle) requestIdle(act, { timeout: MAX_WAIT_MS });
  else if (pageDocument.readyState === 'complete') act();
  else addEventListener('load', act, { once: true });
}
