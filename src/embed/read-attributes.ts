import type { WidgetOptions } from './widget-options.ts';

/** Reads one attribute by its name without a prefix, such as `agent-name`; null when it is not there. */
export type ReadAttribute = (name: string) => string | null;

/** The option of every attribute, then its values; none means any text. */
const TABLE = {
  endpoint: 'endpoint',
  connector: 'connector',
  'agent-name': 'agentName',
  avatar: 'avatarUrl',
  title: 'title',
  theme: 'theme light dark auto',
  accent: 'accent',
  position: 'position end start',
  language: 'language',
  'render-mode': 'renderMode default fullscreen',
  'auto-open': 'autoOpen true false',
  'show-icon': 'showLauncher true false',
  'show-header': 'showHeader true false',
  platform: 'platform web ios android',
  welcome: 'welcome',
  disclaimer: 'disclaimer',
  'policy-links': 'policyLinks',
  consent: 'consent true false',
  localized: 'localized',
  'contact-url': 'contactUrl',
} satisfies Readonly<Record<string, keyof WidgetOptions | `${keyof WidgetOptions} ${string}`>>;

/** Every attribute of the script tag (with `data-`) and of `<natter-chat>` (without). */
export const ATTRIBUTES: readonly string[] = /* @__PURE__ */ Object.keys(TABLE);

/** What attributes say, with what they leave open left out. */
export type AttributeOptions = Omit<WidgetOptions, 'endpoint'> & { readonly endpoint?: string };

/** Options from attributes. What is missing, empty or unknown is left out, so that it counts as the default. Source: messaging.md 18. */
export function readAttributes(read: ReadAttribute): AttributeOptions {
  const options: Record<string, string | boolean> = {};
  for (const [name, row] of Object.entries(TABLE)) {
    const [option = '', ...values] = row.split(' ');
    const text = read(name)?.trim();
    if (!text || (values[0] && !values.includes(text))) continue;
    options[option] = values[0] === 'true' ? text === 'true' : text;
  }
  // The table pairs every option with values that it takes.
  return options as unknown as AttributeOptions;
}
