/** The checks, in the order of the findings. */
export const SITE_CHECKS = [
  'page',
  'tag',
  'address',
  'secure connection',
  'security policy',
  'script file',
  'token proxy',
  'origin',
  'platform',
  'connector',
  'phones',
] as const;

/** One thing that was looked at on a site. */
export interface SiteFinding {
  readonly check: (typeof SITE_CHECKS)[number];
  readonly status: 'ok' | 'warning' | 'fault';
  /** The finding in plain words, and the remedy for a warning or a fault. */
  readonly message: string;
  /** Snippet to paste at the place that the message names; null: there is nothing to paste. */
  readonly code: string | null;
}

type Check = SiteFinding['check'];

export const ok = (check: Check, message: string): SiteFinding => ({
  ...{ check, status: 'ok', message, code: null },
});
export const warn = (check: Check, message: string, code: string | null = null): SiteFinding => ({
  ...{ check, status: 'warning', message, code },
});
export const fault = (check: Check, message: string, code: string | null = null): SiteFinding => ({
  ...{ check, status: 'fault', message, code },
});
