import type { AdmittedRequest } from '../http/admitted-request.ts';
import { raceSignal } from '../kit/race-signal.ts';
import type { AuthorizeContext, TokenProxyOptions } from '../options.ts';

/** Calls the `chooseVariant` hook. Returns `null` if there is none, or if it leaves the choice to the platform. */
export async function chooseVariant(
  { chooseVariant: choose }: Pick<TokenProxyOptions, 'chooseVariant'>,
  { request, origin, budget }: AdmittedRequest,
  call: Pick<AuthorizeContext, 'route' | 'connector'>,
): Promise<string | null> {
  if (choose === undefined) return null;
  const { signal } = budget;
  const choice = Promise.resolve().then(() => choose(request, { ...call, origin, signal }));
  return (await raceSignal(choice, signal)) || null;
}
