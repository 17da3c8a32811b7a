import type { AdmittedRequest } from './admitted-request.ts';
import type { AuthorizeContext, TokenProxyOptions } from './options.ts';
import { ProxyFailure } from './proxy-failure.ts';
import { raceSignal } from './race-signal.ts';

/** Calls the `authorize` hook, where there is one. Throws `ORIGIN_NOT_ALLOWED` when it refuses, or the signal's reason. */
export async function authorizeRequest(
  options: Pick<TokenProxyOptions, 'authorize'>,
  { request, origin, budget }: AdmittedRequest,
  facts: Pick<AuthorizeContext, 'route' | 'connector'>,
): Promise<void> {
  if (options.authorize === undefined) return;
  const { signal } = budget;
  const context: AuthorizeContext = { ...facts, origin, signal };
  // In a promise from the start, so that a hook that throws and one that rejects are the same.
  const decision = Promise.resolve().then(() => options.authorize?.(request, context));
  if ((await raceSignal(decision, signal)) === true) return;
  throw new ProxyFailure(
    'ORIGIN_NOT_ALLOWED',
    "The site's own check refused this request. Sign in again or reload the page.",
    { logFields: { refusedBy: 'authorize' } },
  );
}
