import { matchesOrigin, matchesRegisteredHost } from 'natter/protocol';
import * as v from 'valibot';
import { listConnectors } from '../../accounts/index.ts';
import { audit, type ConsoleRoute, consoleRoute } from '../console-call.ts';
import { checkSite } from './check-site.ts';
import { SITE_CHECKS } from './site-finding.ts';

const address = v.pipe(
  v.string('must be a text'),
  v.maxLength(2_000, 'must have at most 2000 characters'),
  v.check(
    (text) => /^https?:\/\/[^@\s]+$/i.test(text) && URL.canParse(text),
    'must be an address that begins with https:// or http://, without a user name',
  ),
);

const siteCheckSchema = v.object({
  /** Address of a page. */
  url: address,
  /** Address of the token proxy, where the platform does not know it. */
  token_proxy_url: v.optional(v.nullable(address), null),
});

const siteCheckView = v.object({
  /** Address of the page, after redirects. */
  url: v.string(),
  findings: v.array(
    v.object({
      check: v.picklist(SITE_CHECKS),
      status: v.picklist(['ok', 'warning', 'fault']),
      /** The finding in plain words, and the remedy for a warning or a fault. */
      message: v.string(),
      /** Snippet to paste at the place that the message names. */
      code: v.nullable(v.string()),
    }),
  ),
});

/** The check of a site for people who embed the widget. */
export const SITE_CHECK_ROUTES: readonly ConsoleRoute[] = [
  consoleRoute(
    {
      ...{ id: 'consoleSiteCheck', method: 'POST', path: '/site-check', role: 'admin' },
      summary: 'Fetch a page and what the chat on it needs, and say what is right and what is wrong.',
      query: v.object({ project: v.optional(v.string()) }),
      body: siteCheckSchema,
      answer: siteCheckView,
    },
    async (call) => {
      const { server, person, body, headers, signal } = call;
      server.siteChecks.count(person.accountId);
      const endCheck = server.personCalls.beginLong(`${person.id} site check`);
      try {
        const connectors = await listConnectors(server.database, await call.findProject());
        const url = new URL(body.url);
        // A query may hold a key.
        await audit(call, 'check_site', `${url.origin}${url.pathname}`);
        return await checkSite({
          ...{ url, signal, client: server.siteChecks.client, clock: server.clock },
          tokenProxyUrl: body.token_proxy_url?.replace(/(?<!\/)\/+$/, '') ?? server.tokenProxyUrl,
          platformOrigin: URL.parse(headers.get('origin') ?? '')?.origin ?? null,
          isRegistered: (origin) =>
            connectors.some(
              ({ hosts, revokedAtMs, settings }) =>
                revokedAtMs === null &&
                matchesRegisteredHost(hosts, new URL(origin).hostname) &&
                matchesOrigin(hosts, origin, settings.enforceOrigin),
            ),
        });
      } finally {
        endCheck();
      }
    },
  ),
];
