import type { WidgetOptions } from '../options.ts';

/** More than browsers and servers agree on. */
const MAX_CHARACTERS = 8_192;
/** No host has more than 253 characters. Writing a longer one of other letters in ASCII takes quadratic time. */
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
  if (!/^(https?|mailto|tel):$/.test(url.protocol)) return null;
  return url.protocol === 'tel:' ? toTelHref(url.pathname) : url.href;
}

/** Attributes of every link that leaves the page: the new tab learns nothing of it. */
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
  // None in `mailto:` and `tel:`.
  const host = href && new URL(href).host;
  return host &&
    [location.origin, endpoint, avatarUrl, imageHosts]
      .join(' ')
      .toLowerCase()
      // What stands before and after the host of an address.
      .replace(/\w+:\/\/|\/[^\s,]*/g, '')
      .split(/[\s,]+/)
      // A star alone ends every host.
      .some((allowed) => allowed === host || (allowed[0] === '*' && host.endsWith(allowed.slice(1))))
    ? href
    : null;
}
