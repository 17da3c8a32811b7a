import type { WidgetOptions } from '../widget/index.ts';

// A record, so that the compiler reports a missing option.
const NAMES: Readonly<Record<keyof WidgetOptions, true>> = {
  endpoint: true,
  connector: true,
  agentName: true,
  avatarUrl: true,
  imageHosts: true,
  theme: true,
  accent: true,
  position: true,
  language: true,
  launcherLabel: true,
  strings: true,
  renderMode: true,
  autoOpen: true,
  preload: true,
  showLauncher: true,
  showHeader: true,
  platform: true,
  title: true,
  welcome: true,
  disclaimer: true,
  policyLinks: true,
  consent: true,
  keepDraft: true,
  localized: true,
  hours: true,
  hoursTimeZone: true,
  outsideHours: true,
  proactive: true,
  contactUrl: true,
  features: true,
  allowInsecure: true,
};

/** Names of all options of a widget, for adapters that list them. */
export const OPTION_NAMES: readonly (keyof WidgetOptions)[] = Object.keys(NAMES) as (keyof WidgetOptions)[];
