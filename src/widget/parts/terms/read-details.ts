import type { CustomMap } from '../../../protocol/index.ts';

/** Names and versions in a `User-Agent`, the special before those that others have as well. */
const BROWSERS = [
  ['Edge', /\bEdg(?:A|iOS)?\/(\d+)/],
  ['Samsung Internet', /\bSamsungBrowser\/(\d+)/],
  ['Opera', /\bOPR\/(\d+)/],
  ['Firefox', /\b(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /(?:Chrome|CriOS)\/(\d+)/],
  ['Safari', /\bVersion\/(\d{1,4})[\d.]{0,20} .{0,40}Safari\//],
] as const;
const SYSTEMS = [
  ['Android', /Android/],
  ['iOS', /iPhone|iPad|iPod/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X/],
  ['ChromeOS', /CrOS/],
  ['Linux', /Linux/],
] as const;
/** An address of the longest kind still fits into a value. Source: MET-2. */
const MAX_ADDRESS_CHARACTERS = 300;

/** The browser and system of a `User-Agent`, such as "Firefox 143, Windows"; empty for others. */
export function nameBrowser(userAgent: string): string {
  const [browser, version] = BROWSERS.find(([, pattern]) => pattern.test(userAgent)) ?? [];
  const [system] = SYSTEMS.find(([, pattern]) => pattern.test(userAgent)) ?? [];
  const name = browser && `${browser} ${version?.exec(userAgent)?.[1]}`;
  return [name, system].filter(Boolean).join(', ');
}

/**
 * The visitor's page, time zone, browser and language, for those who answer. `language` is the site's, if it has chosen one. The
 * address is without its query and fragment, which may hold personal data and secrets.
 */
export function readDetails(language?: string): CustomMap {
  const metadata = {
    page: (location.origin + location.pathname).slice(0, MAX_ADDRESS_CHARACTERS),
    time_zone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
    browser: nameBrowser(navigator.userAgent),
    language: language || navigator.language,
  };
  return Object.fromEntries(Object.entries(metadata).filter(([, value]) => value));
}
