import type { Clock } from '../kit/clock.ts';
import { DEFAULT_RETRY_AFTER_MS } from '../kit/retry-policy.ts';
import type { ProxyContext } from '../proxy-context.ts';
import { ProxyFailure } from '../proxy-failure.ts';
import { VERSION } from '../version.ts';

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
  const isReady = async (signal: AbortSignal): Promise<boolean> => {
    const response = await options.fetch(`${options.baseUrl}/readyz`, {
      method: 'GET',
      redirect: 'manual',
      signal,
    });
    await response.body?.cancel();
    return response.status < 500;
  };
  const ask = (): Promise<boolean> => {
    const signal = AbortSignal.timeout(options.timeoutMs);
    return (
      isReady(signal)
        // Once more: the platform may just have closed the connection that was kept for the next request.
        .catch(() => isReady(signal))
        // Refused, unresolvable, too slow: all of them are the answer "no".
        .catch(() => false)
    );
  };
  return () => {
    const nowMs = options.clock.now();
    if (last === null || nowMs - last.askedAtMs >= KEPT_MS) last = { askedAtMs: nowMs, answer: ask() };
    return last.answer;
  };
}

/** Body of `GET /v1/health`. Throws `UPSTREAM_UNAVAILABLE` while the platform is not ready. */
export async function reportHealth({ isPlatformUp }: Pick<ProxyContext, 'isPlatformUp'>): Promise<object> {
  if (await isPlatformUp()) return { status: 'ok', version: VERSION };
  throw new ProxyFailure('UPSTREAM_UNAVAILABLE', 'The chat service does not respond. Try again shortly.', {
    retryAfterMs: DEFAULT_RETRY_AFTER_MS,
  });
}
