import type { Clock } from './clock.ts';

interface HealthProbeOptions {
  readonly fetch: (input: string, init: RequestInit) => Promise<Response>;
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly timeoutMs: number;
}

// However often health is asked, the platform is asked at most this often. Widgets ask before they reconnect, so the
// answer must not be older than the shortest wait before an attempt.
const KEPT_MS = 500;

/**
 * Makes a function that says whether the platform can be used: any HTTP answer below 500 to the question whether it is ready.
 * Ours says 503 there while its database is away; a service that does not know the path answers 404, and so is there.
 * Costs nothing and needs no token. Concurrent questions share one call. Never rejects.
 */
export function createHealthProbe(options: HealthProbeOptions): () => Promise<boolean> {
  let last: { readonly askedAtMs: number; readonly answer: Promise<boolean> } | null = null;
  const ask = async (): Promise<boolean> => {
    try {
      const response = await options.fetch(`${options.baseUrl}/readyz`, {
        method: 'GET',
        redirect: 'manual',
        signal: AbortSignal.timeout(options.timeoutMs),
      });
      await response.body?.cancel();
      return response.status < 500;
    } catch {
      // Refused, unresolvable, too slow: all of them are the answer "no".
      return false;
    }
  };
  return () => {
    const nowMs = options.clock.now();
    if (last === null || nowMs - last.askedAtMs >= KEPT_MS) last = { askedAtMs: nowMs, answer: ask() };
    return last.answer;
  };
}
