import { setImmediate } from 'node:timers/promises';
import { type ContentPolicy, parsePolicies } from './content-policy.ts';
import { type HtmlTag, type HtmlToken, scanHtml } from './scan-html.ts';

/** A script tag of the widget. */
export interface WidgetTag {
  /** Address of the script. */
  readonly url: URL;
  readonly isModule: boolean;
  readonly nonce: string | null;
}

/** The widget's tag and the relevant policies, as found in the HTML and the headers of a page. */
export interface SitePage {
  /** Where the page is, after redirects. */
  readonly url: URL;
  readonly tags: readonly WidgetTag[];
  /** Whether a tag of the widget is in a comment. */
  readonly hasTagInComment: boolean;
  /** Whether a script of the page, or an element of it, names the widget. */
  readonly hasMention: boolean;
  /** Names of the tag managers that the page loads. */
  readonly tagManagers: readonly string[];
  /** Addresses of the widget's ready themes. */
  readonly themeUrls: readonly string[];
  readonly policies: readonly ContentPolicy[];
  /** Whether the page has a viewport tag, so that phones show it at their own width. */
  readonly hasViewport: boolean;
}

const TAG_MANAGERS: readonly (readonly [mark: string, name: string])[] = [
  ['googletagmanager.com/gtm.js', 'Google Tag Manager'],
  ['googletagmanager.com/ns.html', 'Google Tag Manager'],
  ['assets.adobedtm.com', 'Adobe Experience Platform Tags'],
  ['tags.tiqcdn.com', 'Tealium'],
  ['/js/container_', 'Matomo Tag Manager'],
];
const SCRIPT = /(?:^|\/)natter\.js$/;
const THEME = /\/natter\/[a-z-]+\.css$/;

// A few milliseconds.
const TOKENS_AT_ONCE = 2_000;

/** Scans a page; other work comes in between, because a page may hold hundreds of thousands of tags. */
async function scanInTurns(html: string): Promise<readonly HtmlToken[]> {
  const tokens: HtmlToken[] = [];
  for (const token of scanHtml(html)) {
    tokens.push(token);
    if (tokens.length % TOKENS_AT_ONCE === 0) await setImmediate();
  }
  return tokens;
}

/** Reads a page. `policy` is its header `Content-Security-Policy`, empty without one. */
export async function readSitePage(html: string, url: URL, policy: string): Promise<SitePage> {
  const tokens = await scanInTurns(html);
  const tags = tokens.filter((token) => token.kind === 'tag');
  const base = resolve(
    tags.find(({ name, attributes }) => name === 'base' && attributes.has('href')),
    'href',
    url,
  );
  const widgetTags = tags.flatMap((tag): readonly WidgetTag[] => {
    const address = tag.name === 'script' ? resolve(tag, 'src', base ?? url) : null;
    if (address === null || !SCRIPT.test(address.pathname)) return [];
    const { attributes } = tag;
    return [
      {
        url: address,
        isModule: attributes.get('type')?.trim().toLowerCase() === 'module',
        nonce: attributes.get('nonce') ?? null,
      },
    ];
  });
  const headEnd = tags.findIndex(({ name }) => name === 'body');
  const metas = (headEnd === -1 ? tags : tags.slice(0, headEnd)).filter(({ name }) => name === 'meta');
  const isMeta = (tag: HtmlTag, attribute: string, value: string): boolean =>
    tag.attributes.get(attribute)?.trim().toLowerCase() === value;
  return {
    url,
    tags: widgetTags,
    hasTagInComment: tokens.some(
      ({ kind, text }) => kind === 'comment' && /<script/i.test(text) && text.includes('natter.js'),
    ),
    hasMention: tags.some(
      ({ name, text }) => name === 'natter-chat' || (name === 'script' && text.includes('natter.js')),
    ),
    tagManagers: [...new Set(TAG_MANAGERS.flatMap(([mark, name]) => (html.includes(mark) ? [name] : [])))],
    themeUrls: tags.flatMap((tag) => {
      const address = tag.name === 'link' ? resolve(tag, 'href', base ?? url) : null;
      return address !== null && THEME.test(address.pathname) ? [address.href] : [];
    }),
    policies: [
      ...parsePolicies(policy),
      ...metas
        .filter((tag) => isMeta(tag, 'http-equiv', 'content-security-policy'))
        .flatMap(({ attributes }) => parsePolicies(attributes.get('content') ?? '')),
    ],
    hasViewport: metas.some(
      (tag) =>
        isMeta(tag, 'name', 'viewport') &&
        /width\s*=\s*device-width/i.test(tag.attributes.get('content') ?? ''),
    ),
  };
}

/** The address in an attribute; null where it is missing, empty or none that a page loads from. */
function resolve(tag: HtmlTag | undefined, attribute: string, base: URL): URL | null {
  const written = tag?.attributes.get(attribute)?.trim() ?? '';
  const address = written === '' ? null : URL.parse(written, base.href);
  return address !== null && /^https?:$/.test(address.protocol) ? address : null;
}
