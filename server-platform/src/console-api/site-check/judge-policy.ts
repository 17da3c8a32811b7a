import { completeDirective, isStrictDynamic, type PolicyNeed } from './content-policy.ts';
import type { SitePage } from './read-site-page.ts';
import { fault, ok, type SiteFinding, warn } from './site-finding.ts';

/** Where the parts of the chat are, as far as they are known. */
export interface ChatPlaces {
  /** Address of the token proxy of this installation, without a slash at its end; null: not known. */
  readonly tokenProxyUrl: string | null;
  /** Address of the token proxy that the page uses, or would use; null: not known. */
  readonly pageProxyUrl: string | null;
  /** Where sockets may be opened: `wss://…`. */
  readonly socketUrls: readonly string[];
}

/** Judges whether the page's Content-Security-Policy lets the chat through. */
export function judgePolicy(page: SitePage, { pageProxyUrl, socketUrls }: ChatPlaces): SiteFinding {
  if (page.policies.length === 0)
    return ok('security policy', 'The page has no Content-Security-Policy that could block the chat.');
  const sandbox = page.policies.map((policy) => policy.get('sandbox')).find((words) => words !== undefined);
  const missing = ['allow-scripts', 'allow-same-origin'].filter((word) => sandbox?.includes(word) === false);
  if (missing.length > 0)
    return fault(
      'security policy',
      `The page’s Content-Security-Policy has “sandbox” without ${missing.join(' and ')}, so the chat cannot run. Remove “sandbox”, or add to it:`,
      missing.join(' '),
    );
  if (pageProxyUrl === null)
    return warn(
      'security policy',
      'The page has a Content-Security-Policy. Add the tag first; then this check says which sources the policy needs.',
    );
  const blocked = findBlocked(page, [
    { directive: 'script-src', urls: [`${pageProxyUrl}/natter.js`, `${pageProxyUrl}/natter/panel.js`] },
    { directive: 'connect-src', urls: [`${pageProxyUrl}/v1/session`] },
    { directive: 'style-src', urls: page.themeUrls },
    { directive: 'img-src', urls: [`${pageProxyUrl}/natter/agent.svg`] },
  ]);
  if (blocked.length > 0)
    return fault(
      'security policy',
      'The page’s Content-Security-Policy blocks parts of the chat. Change it so that it has:',
      blocked.join(';\n'),
    );
  if (page.policies.some(isStrictDynamic) && page.tags[0] !== undefined) {
    const unsigned = page.policies.some(
      (policy) =>
        isStrictDynamic(policy) &&
        ![...policy.values()].flat().includes(`'nonce-${page.tags[0]?.nonce ?? ''}'`),
    );
    if (unsigned)
      return fault(
        'security policy',
        'The page’s Content-Security-Policy trusts only scripts with its nonce (“strict-dynamic”). Give the tag the nonce that the other scripts of the page have.',
        `<script nonce="NONCE_OF_THE_PAGE" src="${pageProxyUrl}/natter.js" defer></script>`,
      );
  }
  return judgeSockets(page, socketUrls);
}

const findBlocked = (page: SitePage, needs: readonly PolicyNeed[]): readonly string[] => [
  ...new Set(
    page.policies.flatMap((policy) =>
      needs.flatMap((need) => {
        // There the address of a script does not count.
        if (need.directive === 'script-src' && isStrictDynamic(policy)) return [];
        return completeDirective(policy, need, page.url.href) ?? [];
      }),
    ),
  ),
];

/** Sockets are opened at the token proxy or at the platform. A policy that names one at all is taken for right. */
function judgeSockets(page: SitePage, socketUrls: readonly string[]): SiteFinding {
  const refusing = page.policies.find((policy) => {
    const sources = policy.get('connect-src') ?? policy.get('default-src') ?? ['*'];
    if (sources.some((source) => /^wss?:/i.test(source))) return false;
    return socketUrls.every(
      (url) => completeDirective(policy, { directive: 'connect-src', urls: [url] }, page.url.href) !== null,
    );
  });
  const [url] = socketUrls;
  if (refusing === undefined || url === undefined)
    return ok('security policy', 'The page’s Content-Security-Policy lets the chat through.');
  return warn(
    'security policy',
    `The page’s Content-Security-Policy lets no socket through. The chat then works in turns, without people from the desk. Add the address of your sockets (NATTER_WEBSOCKET_URL of the token proxy), which is often ${socketUrls.join(' or ')}:`,
    completeDirective(refusing, { directive: 'connect-src', urls: [url] }, page.url.href),
  );
}
