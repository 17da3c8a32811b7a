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

// Limits how often the platform is asked, however often health is. Widgets check it before they reconnect, so the
// answer must not be older than the shortest delay before an attempt.
const KEPT_MS = 500;

/**
 * Makes a function that reports whether the platform is usable: any response below 500 to the readiness check. Our
 * platform responds 503 while its database is unavailable; a service without that path responds 404, which counts as
 * available. Needs no token. Concurrent calls share one request. Never rejects.
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
        // Retries once, because the platform may just have closed the kept-alive connection.
        .catch(() => isReady(signal))
        // Refused, unresolvable and too slow all mean "no".
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
