const ALLOWED_SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:', 'tel:']);

/**
 * Returns the address to put on a link, or null when the link has to stay text.
 *
 * Only absolute `http`, `https`, `mailto` and `tel` addresses pass: a relative one would point into the page
 * that hosts the widget. The address is re-serialised by the browser's own parser, so that what was checked
 * is what is followed, whatever tabs, line feeds or entities the text held. Source: AM-3.
 */
export function toSafeHref(raw: string): string | null {
  const candidate = /^www\./i.test(raw) ? `https://${raw}` : raw;
  if (!URL.canParse(candidate)) return null;
  const url = new URL(candidate);
  if (!ALLOWED_SCHEMES.has(url.protocol)) return null;
  return url.protocol === 'tel:' ? toTelHref(url.pathname) : url.href;
}

/** Attributes of every link that leaves the page: the new tab learns nothing of it. */
export const NEW_TAB = { target: '_blank', rel: 'noopener noreferrer' } as const;

/** Returns a `tel:` link of digits after at most one `+`, or null when nothing is left to dial. Source: messaging.md 7.5. */
export function toTelHref(phoneNumber: string): string | null {
  const number = phoneNumber.replace(/[^+\d]/g, '').replace(/(?!^)\+/g, '');
  return /\d/.test(number) ? `tel:${number}` : null;
}

/** Returns the address of a picture when it is an absolute `http` or `https` one, else null. */
export function toSafeImageUrl(raw: string | null | undefined): string | null {
  if (!raw || !URL.canParse(raw)) return null;
  const url = new URL(raw);
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : null;
}
