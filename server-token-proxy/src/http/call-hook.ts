import { raceSignal } from '../kit/race-signal.ts';

/** Calls a hook of the site within the request's time limit. Treats exceptions and rejections alike. */
export const callHook = <Value>(call: () => Value | Promise<Value>, signal: AbortSignal): Promise<Value> =>
  raceSignal(Promise.resolve().then(call), signal);
