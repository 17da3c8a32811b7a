import type { Clock } from '../../kit/clock.ts';
import type { OutboundAnswer, OutboundClient } from '../../kit/http/outbound/index.ts';
import { checkProxy, checkScript } from './check-proxy.ts';
import { describeFailure } from './describe-failure.ts';
import { isExampleHost, judgePage, proxyOfScript } from './judge-page.ts';
import { readSitePage } from './read-site-page.ts';
import { fetchFollowing, type SiteFetch } from './site-fetch.ts';
import { fault, ok, SITE_CHECKS, type SiteFinding, warn } from './site-finding.ts';

/** The page to check, and the facts and ports that the check needs. */
export interface SiteCheck {
  readonly url: URL;
  /** Address of the token proxy of this installation, without a slash at its end; null: not known. */
  readonly tokenProxyUrl: string | null;
  /** Origin at which the platform is reached; null: not known. */
  readonly platformOrigin: string | null;
  /** Whether a connector of the project accepts sockets of pages at an origin. */
  readonly isRegistered: (origin: string) => boolean;
  readonly client: OutboundClient;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** The findings, and the address of the page after redirects. */
export interface SiteReport {
  readonly url: string;
  readonly findings: readonly SiteFinding[];
}

const MAX_PAGE_BYTES = 2 * 1024 * 1024;
// A person waits for it.
const DEADLINE_MS = 25_000;

/** Fetches a page, the script and the token proxy of its tag, and reports a finding for each check. Changes nothing. */
export async function checkSite(check: SiteCheck): Promise<SiteReport> {
  const { clock, client, signal } = check;
  const fetch = { client, clock, signal, deadlineAtMs: clock.now() + DEADLINE_MS };
  const page = await fetchPage(fetch, check.url);
  if (page.html === null) return { url: page.url.href, findings: [page.finding] };
  const site = await readSitePage(page.html, page.url, page.policy);
  const [tag] = site.tags;
  const isExample = tag !== undefined && isExampleHost(tag.url);
  // A tag with an example's address will be replaced by the right one.
  const script = tag === undefined || isExample ? null : tag.url;
  const pageProxyUrl = script === null ? check.tokenProxyUrl : proxyOfScript(script);
  const socketUrls = [pageProxyUrl, check.platformOrigin].flatMap((url) =>
    url === null ? [] : [new URL(url).origin.replace(/^http/, 'ws')],
  );
  const places = { tokenProxyUrl: check.tokenProxyUrl, pageProxyUrl, socketUrls: [...new Set(socketUrls)] };
  const asked = await Promise.all(
    pageProxyUrl === null
      ? []
      : [
          checkScript(fetch, script ?? new URL(`${pageProxyUrl}/natter.js`)),
          checkProxy(fetch, pageProxyUrl, page.url.origin),
        ],
  );
  const findings = [
    page.finding,
    ...judgePage(site, places),
    ...asked.flat(),
    judgeConnector(page.url, check),
  ];
  return {
    url: page.url.href,
    findings: findings.sort(
      (one, other) => SITE_CHECKS.indexOf(one.check) - SITE_CHECKS.indexOf(other.check),
    ),
  };
}

interface FetchedPage {
  readonly url: URL;
  readonly finding: SiteFinding;
  /** Null: there is no page to be judged. */
  readonly html: string | null;
  readonly policy: string;
}

async function fetchPage(fetch: SiteFetch, from: URL): Promise<FetchedPage> {
  const found = await fetchFollowing(fetch, from, 'text/html', MAX_PAGE_BYTES);
  const { url } = found;
  const failed = (message: string): FetchedPage => ({
    ...{ url, html: null, policy: '', finding: fault('page', message) },
  });
  if ('failure' in found) return failed(found.failure);
  const { answer } = found;
  const problem = describePageProblem(answer);
  if (problem !== null) {
    answer.discard();
    return failed(problem);
  }
  try {
    const html = new TextDecoder().decode(await answer.bytes());
    const isElsewhere = url.href !== from.href;
    return {
      ...{ url, html, policy: answer.header('content-security-policy') ?? '' },
      finding: ok('page', `The page answers.${isElsewhere ? ` It leads on to ${url.href}.` : ''}`),
    };
  } catch (error) {
    return failed(describeFailure(error, url));
  }
}

function describePageProblem(answer: OutboundAnswer): string | null {
  const { status } = answer;
  const type = answer.header('content-type') ?? '';
  const encoding = answer.header('content-encoding');
  if (status === 401 || status === 403)
    return `The page refuses the platform (status ${status}). It may need a sign-in, or a firewall keeps programs out. Check a page that everyone can see, or run Natter.doctor() in the browser.`;
  if (status === 404 || status === 410) return `There is no such page (status ${status}). Check the address.`;
  if (status < 200 || status >= 300)
    return `The page answers with an error (status ${status}). Try again. If the error stays, ask the operator of the site.`;
  if (!/^(?:text\/html|application\/xhtml\+xml)\b/i.test(type))
    return `This address is not a web page (${type || 'no content type'}). Enter the address of a page that visitors see.`;
  return encoding === null || encoding === 'identity'
    ? null
    : `The page comes compressed (${encoding}) although the platform asked for it plain, so it cannot be read from here. Run Natter.doctor() in the browser.`;
}

function judgeConnector({ origin, hostname }: URL, { isRegistered }: SiteCheck): SiteFinding {
  return isRegistered(origin)
    ? ok('connector', `A connector of this project accepts pages of ${hostname}.`)
    : warn(
        'connector',
        `No connector of this project has the host ${hostname}, so the platform refuses conversations from there. Add a connector with this host under Operations, Connectors, and give its token to the token proxy.`,
      );
}
