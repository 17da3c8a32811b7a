import { type ChatPlaces, judgePolicy } from './judge-policy.ts';
import type { SitePage } from './read-site-page.ts';
import { fault, ok, type SiteFinding, warn } from './site-finding.ts';

const HOW_TO_LOOK =
  'To look for yourself: open the page in a browser, press F12, choose “Network”, reload the page and type natter.js into the filter. A line with the status 200 means that the chat is loaded; then type console.log((await Natter.doctor()).text) under “Console”.';
/** Reserved for documentation, so no token proxy is there. Source: RFC 2606. */
const EXAMPLE_HOST = /(?:^|\.)example(?:\.(?:com|org|net))?$/;
const LOOPBACK_HOST = /^(?:localhost|.+\.localhost|127\.[\d.]+|\[::1\])$/;

/** Whether an address was copied from a documentation. */
export const isExampleHost = ({ hostname }: URL): boolean => EXAMPLE_HOST.test(hostname);

const isLoopback = ({ hostname }: URL): boolean => LOOPBACK_HOST.test(hostname);

/** The address of the token proxy that a script tag loads from, without a slash at its end. */
export const proxyOfScript = (script: URL): string => new URL('.', script).href.replace(/\/$/, '');

/** The tag for a page without one. */
const writeTag = (proxyUrl: string | null): string | null =>
  proxyUrl === null ? null : `<script src="${proxyUrl}/natter.js" defer></script>`;

/** Judges what the page itself says. */
export function judgePage(page: SitePage, places: ChatPlaces): readonly SiteFinding[] {
  return [
    judgeTag(page, places),
    ...judgeAddress(page, places),
    judgeSecurity(page),
    judgePolicy(page, places),
    page.hasViewport
      ? ok('phones', 'Phones show the page at their own width.')
      : warn(
          'phones',
          'Phones shrink this page, and the chat with it. Add this line to the head of the page:',
          '<meta name="viewport" content="width=device-width, initial-scale=1">',
        ),
  ];
}

function judgeTag(page: SitePage, { tokenProxyUrl }: ChatPlaces): SiteFinding {
  const [tag] = page.tags;
  if (tag === undefined) return judgeMissingTag(page, writeTag(tokenProxyUrl));
  if (tag.isModule)
    return fault(
      'tag',
      'The tag has type="module", and so the chat does not start. Remove that attribute from the tag.',
      writeTag(proxyOfScript(tag.url)),
    );
  if (page.tags.length > 1)
    return warn(
      'tag',
      `The tag is on the page ${page.tags.length} times. Only the first one works. Remove the others; often one is in the page and one in the theme.`,
    );
  return ok('tag', 'The tag is on the page, once.');
}

function judgeMissingTag(page: SitePage, code: string | null): SiteFinding {
  if (page.hasTagInComment)
    return fault(
      'tag',
      'The tag is inside a comment (between <!-- and -->), so browsers ignore it. Move it out of the comment.',
      code,
    );
  const [manager] = page.tagManagers;
  if (page.hasMention || manager !== undefined)
    return warn(
      'tag',
      `The tag is not in the page’s own HTML. ${
        page.hasMention
          ? 'A script of the page seems to add the chat'
          : `The page uses ${manager}, which may add it`
      } in the browser; that cannot be seen from here. ${HOW_TO_LOOK}`,
    );
  return fault(
    'tag',
    `The tag is not in the page’s HTML. Paste it before </body>, publish the page and empty the site’s cache. If a script or a tag manager adds it, that cannot be seen from here. ${HOW_TO_LOOK}`,
    code,
  );
}

function judgeAddress({ tags: [tag] }: SitePage, { tokenProxyUrl }: ChatPlaces): readonly SiteFinding[] {
  if (tag === undefined) return [];
  const proxyUrl = proxyOfScript(tag.url);
  if (isExampleHost(tag.url))
    return [
      fault(
        'address',
        `${proxyUrl} is an example from the documentation, not an address of yours. ${
          tokenProxyUrl === null ? 'Ask the operator of your servers for it.' : 'Use this tag:'
        }`,
        writeTag(tokenProxyUrl),
      ),
    ];
  if (tokenProxyUrl === null) return [];
  return proxyUrl === tokenProxyUrl
    ? [ok('address', 'The tag has the address of this installation’s token proxy.')]
    : [
        warn(
          'address',
          `The tag loads the chat from ${proxyUrl}; the token proxy of this installation is ${tokenProxyUrl}. If that is not intended, use this tag:`,
          writeTag(tokenProxyUrl),
        ),
      ];
}

function judgeSecurity({ url, tags: [tag] }: SitePage): SiteFinding {
  if (url.protocol === 'http:' && !isLoopback(url))
    return fault(
      'secure connection',
      'The page is not encrypted (http). Browsers turn off what the chat needs there. Serve the page over https.',
    );
  const isMixed = tag?.url.protocol === 'http:' && !isLoopback(tag.url);
  if (isMixed && url.protocol === 'https:')
    return fault(
      'secure connection',
      'The page is encrypted (https), but the tag loads the chat without encryption (http), which browsers block. Write https:// in the tag.',
    );
  return ok('secure connection', 'The page and the chat are loaded securely.');
}
