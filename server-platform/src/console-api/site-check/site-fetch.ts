import type { Clock } from '../../kit/clock.ts';
import type { OutboundAnswer, OutboundClient, OutboundRequest } from '../../kit/http/outbound/index.ts';
import { describeFailure } from './describe-failure.ts';

/** State shared by the requests of one check. */
export interface SiteFetch {
  readonly client: OutboundClient;
  readonly clock: Clock;
  /** When the whole check has to be over. */
  readonly deadlineAtMs: number;
  readonly signal: AbortSignal;
}

/** The answer at the end of an address's redirects, or the failure, with the address of the last request. */
export type FoundAnswer =
  | { readonly url: URL; readonly answer: OutboundAnswer }
  | { readonly url: URL; readonly failure: string };

const MAX_REDIRECTS = 5;
const REQUEST_TIMEOUT_MS = 10_000;
const USER_AGENT = 'Natter site check';

/** Sends one request within the time that is left of the check. Follows no redirect. Rejects with an `OutboundError`. */
export function fetchOnce(
  { client, clock, deadlineAtMs, signal }: SiteFetch,
  request: Pick<OutboundRequest, 'url' | 'method' | 'headers'>,
  maxBytes: number,
): Promise<OutboundAnswer> {
  const leftMs = Math.max(1, deadlineAtMs - clock.now());
  return client.send({
    ...request,
    headers: { 'User-Agent': USER_AGENT, ...request.headers },
    limits: { totalTimeoutMs: Math.min(REQUEST_TIMEOUT_MS, leftMs), maxBytes },
    signal,
  });
}

/** Gets an address as a browser does, over redirects. The client checks the address of each of them. */
export async function fetchFollowing(
  fetch: SiteFetch,
  from: URL,
  accept: string,
  maxBytes: number,
): Promise<FoundAnswer> {
  let url = from;
  for (let redirects = 0; ; redirects += 1) {
    try {
      const answer = await fetchOnce(fetch, { url, method: 'GET', headers: { Accept: accept } }, maxBytes);
      if (![301, 302, 303, 307, 308].includes(answer.status)) return { url, answer };
      answer.discard();
      const next = URL.parse(answer.header('location') ?? '', url.href);
      if (redirects === MAX_REDIRECTS || next === null || !/^https?:$/.test(next.protocol))
        return { url, failure: `${from.href} leads on too often, or to nothing. Check its redirects.` };
      url = next;
    } catch (error) {
      return { url, failure: describeFailure(error, url) };
    }
  }
}
