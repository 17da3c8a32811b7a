import type { ProxyContext } from './proxy-context.ts';
import { ProxyFailure } from './proxy-failure.ts';
import { DEFAULT_RETRY_AFTER_MS } from './retry-policy.ts';
import { VERSION } from './version.ts';

/** Body of `GET /v1/health`. Throws `UPSTREAM_UNAVAILABLE` while the platform is not ready. */
export async function reportHealth({ isPlatformUp }: Pick<ProxyContext, 'isPlatformUp'>): Promise<object> {
  if (await isPlatformUp()) return { status: 'ok', version: VERSION };
  throw new ProxyFailure('UPSTREAM_UNAVAILABLE', 'The chat service does not answer. Try again shortly.', {
    retryAfterMs: DEFAULT_RETRY_AFTER_MS,
  });
}
