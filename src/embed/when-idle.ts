import { pageDocument } from '../widget/index.ts';
import { readOwnGlobal } from './read-own-global.ts';

/** Calls `act` once the page is idle; in browsers that do not tell, once it has loaded. */
export function whenIdle(act: () => void): void {
  const requestIdle = readOwnGlobal('requestIdleCallback');
  if (requestIdle) requestIdle(act);
  else if (pageDocument.readyState === 'complete') act();
  else addEventListener('load', act, { once: true });
}
