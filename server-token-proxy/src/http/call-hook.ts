import { raceSignal } from '../kit/race-signal.ts';

/** Calls code of the site for at most as long as the request may take; that it throws or rejects is the same. */
export const callHook = <Value>(call: () => Value | Promise<Value>, signal: AbortSignal): Promise<Value> =>
  raceSignal(Promise.resolve().then(call), signal);
