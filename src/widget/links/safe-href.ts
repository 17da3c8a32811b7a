import type { WidgetOptions } from '../options.ts';

/** Longest address of a link. Browsers and servers do not agree on longer ones. */
const MAX_CHARACTERS = 8_192;
/** Matches hosts that are too long: valid ones have at most 253 characters, and converting longer non-ASCII ones takes quadratic time. */
const LONG_HOST = /^\w+:[\\/]*[^\\/?#]{256}/;

/**
 * Returns the address to put on a link, or null when the link has to stay text.
 *
 * Only absolute `http`, `https`, `mailto` and `tel` addresses pass: a relative one would point into the page
 * that hosts the widget. The address is re-serialised by the browser's own parser, so that the browser
 * follows the address that was checked, also with tabs, line feeds or entities in the text. Source: AM-3.
 */
export function toSafeHref(raw: string): string | null {
  const candidate = /^www\./i.test(raw) ? `https://${raw}` : raw;
  if (raw.length > MAX_CHARACTERS || LONG_HOST.test(candidate) || !URL.canParse(candidate)) return null;
  const url = new URL(candidate);
  // A name before the host is there to be taken for the host.
  if (!/^(https?|mailto|tel):$/.test(url.protocol) || url.username || url.password) return null;
  if (url.protocol === 'mailto:') return toMailHref(url);
  return url.protocol === 'tel:' ? toTelHref(url.pathname) : url.href;
}

/** Keeps the address, the subject and the body: others would send copies or attach files that the visitor does not see. */
function toMailHref({ pathname, search }: URL): string {
  const fields = search.slice(1).split('&');
  const kept = fields.filter((field) => /^(?:subject|body)=/i.test(field)).join('&');
  return `mailto:${pathname}${kept && `?${kept}`}`;
}

/** Attributes of every link that leaves the page. The new tab gets no reference to the page and no referrer. */
export const NEW_TAB = { target: '_blank', rel: 'noopener noreferrer' } as const;

/** Returns a `tel:` link of digits after at most one `+`, or null when nothing is left to dial. Source: messaging.md 7.5. */
export function toTelHref(phoneNumber: string): string | null {
  const number = phoneNumber.replace(/[^+\d]/g, '').replace(/(?!^)\+/g, '');
  return /\d/.test(number) ? `tel:${number}` : null;
}

/**
 * Returns the address of a picture that may be fetched, else null: the picture's host learns the visitor's address,
 * so it has to be of the page's own host, the token proxy's, that of `avatarUrl` or one of `imageHosts`.
 */
export function toImageUrl(
  raw: string | null | undefined,
  { endpoint, avatarUrl, imageHosts }: WidgetOptions,
): string | null {
  const href = raw && toSafeHref(raw);
  // Empty for `mailto:` and `tel:`.
  const host = href && new URL(href).host;
  return host &&
    [location.origin, endpoint, avatarUrl, imageHosts]
      .join(' ')
      .toLowerCase()
      // Removes the scheme and the path of addresses.
      .replace(/(?<!\w)\w+:\/\/|\/[^\s,]*/g, '')
      .split(/[\s,]+/)
      // `*` alone allows every host.
      .some((allowed) => allowed === host || (allowed[0] === '*' && host.endsWith(allowed.slice(1))))
    ? href
    : null;
}
