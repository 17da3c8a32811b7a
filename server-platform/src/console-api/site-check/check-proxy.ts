import * as v from 'valibot';
import { describeFailure } from './describe-failure.ts';
import { fetchFollowing, fetchOnce, type SiteFetch } from './site-fetch.ts';
import { fault, ok, type SiteFinding } from './site-finding.ts';

const MAX_ANSWER_BYTES = 64 * 1024;
const JAVASCRIPT = /^(?:text|application)\/(?:x-)?(?:javascript|ecmascript)\b/i;

/** Checks that the script of the tag is there, and that browsers run it. */
export async function checkScript(fetch: SiteFetch, from: URL): Promise<SiteFinding> {
  const found = await fetchFollowing(fetch, from, '*/*', MAX_ANSWER_BYTES);
  if ('failure' in found) return fault('script file', found.failure);
  const { url, answer } = found;
  answer.discard();
  if (!answer.isOk)
    return fault(
      'script file',
      `${url.href} answers with status ${answer.status} and not with the chat’s script. Check the address in the tag and the path where the token proxy is mounted.`,
    );
  const type = answer.header('content-type') ?? '';
  return JAVASCRIPT.test(type)
    ? ok('script file', `${from.href} answers with the chat’s script.`)
    : fault(
        'script file',
        `${url.href} answers with ${type || 'no type'} in place of JavaScript, so browsers do not run it. Something else answers there, such as a page for unknown addresses; lead this path to the token proxy.`,
      );
}

const healthSchema = v.object({ status: v.literal('ok'), version: v.string() });
const refusalSchema = v.object({ code: v.string(), retryable: v.boolean() });

/** Checks that a token proxy answers, lets pages of an origin in, and reaches its platform. */
export async function checkProxy(
  fetch: SiteFetch,
  proxyUrl: string,
  origin: string,
): Promise<readonly SiteFinding[]> {
  const url = new URL(`${proxyUrl}/v1/health`);
  try {
    const request = { url, method: 'GET', headers: { Origin: origin } } as const;
    const answer = await fetchOnce(fetch, request, MAX_ANSWER_BYTES);
    const text = new TextDecoder().decode(await answer.bytes());
    const body = v.safeParse(v.pipe(v.string(), v.parseJson(), v.union([healthSchema, refusalSchema])), text);
    if (!body.success)
      return [
        fault(
          'token proxy',
          `${proxyUrl} answers with status ${answer.status}, but is not a token proxy. Check the address and the path where the token proxy is mounted.`,
        ),
      ];
    const code = 'code' in body.output ? body.output.code : '';
    const answers = ok('token proxy', `The token proxy at ${proxyUrl} answers.`);
    if (code === 'ORIGIN_NOT_ALLOWED') return [answers, refuseOrigin(proxyUrl, origin)];
    return [
      answers,
      code === 'UPSTREAM_UNAVAILABLE'
        ? fault(
            'platform',
            'The token proxy does not reach the platform. Check NATTER_UPSTREAM_URL of the token proxy, and that the platform runs.',
          )
        : ok('platform', 'The token proxy reaches the platform.'),
      await checkPreflight(fetch, proxyUrl, origin),
    ];
  } catch (error) {
    return [fault('token proxy', describeFailure(error, url))];
  }
}

const refuseOrigin = (proxyUrl: string, origin: string): SiteFinding =>
  fault(
    'origin',
    `The token proxy at ${proxyUrl} does not let pages of ${origin} in. Add it to NATTER_ALLOWED_ORIGINS of the token proxy, beside what is there.`,
    origin,
  );

/** Asks as a browser does before the first request of a page of another origin. */
async function checkPreflight(fetch: SiteFetch, proxyUrl: string, origin: string): Promise<SiteFinding> {
  const allowed = ok('origin', `The token proxy lets pages of ${origin} in.`);
  if (new URL(proxyUrl).origin === origin) return allowed;
  const answer = await fetchOnce(
    fetch,
    {
      url: `${proxyUrl}/v1/session`,
      method: 'OPTIONS',
      headers: {
        Origin: origin,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'content-type',
      },
    },
    MAX_ANSWER_BYTES,
  );
  answer.discard();
  if (answer.isOk && answer.header('access-control-allow-origin') === origin) return allowed;
  return fault(
    'origin',
    `The answers of ${proxyUrl} lack the headers that let pages of ${origin} read them (CORS; status ${answer.status}). A web server or CDN in front may drop them: keep Origin, OPTIONS requests and everything that begins with Access-Control-.`,
  );
}
