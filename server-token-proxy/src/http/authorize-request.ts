import type { AuthorizeContext, TokenProxyOptions } from '../options.ts';
import { ProxyFailure } from '../proxy-failure.ts';
import type { AdmittedRequest } from './admitted-request.ts';
import { callHook } from './call-hook.ts';

/** Calls the `authorize` hook, if any. Throws `ORIGIN_NOT_ALLOWED` when it refuses, or the signal's reason. */
export async function authorizeRequest(
  options: Pick<TokenProxyOptions, 'authorize'>,
  { request, origin, budget }: AdmittedRequest,
  call: Pick<AuthorizeContext, 'route' | 'connector'>,
): Promise<void> {
  const { authorize } = options;
  if (authorize === undefined) return;
  const { signal } = budget;
  const context: AuthorizeContext = { ...call, origin, signal };
  if ((await callHook(() => authorize(request, context), signal)) === true) return;
  throw new ProxyFailure(
    'ORIGIN_NOT_ALLOWED',
    "The site's own check refused this request. Sign in again or reload the page.",
    { logFields: { refusedBy: 'authorize' } },
  );
}
