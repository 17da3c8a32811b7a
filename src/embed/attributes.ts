import type { WidgetOptions } from '../widget/index.ts';

/**
 * The option that an attribute sets, and its values: any text, a switch (`true` or `false`), or a list of words, the
 * first of which is the default.
 */
export interface AttributeDefinition {
  /** Name of the option, and of the property of the element. */
  readonly option: keyof WidgetOptions;
  readonly values: 'text' | 'switch' | readonly string[];
}

/** The attributes of `<natter-chat>`, for the JSX types of the frameworks. */
export interface NatterChatAttributes {
  readonly endpoint?: string;
  readonly connector?: string;
  readonly 'agent-name'?: string;
  readonly avatar?: string;
  readonly 'image-hosts'?: string;
  readonly title?: string;
  readonly welcome?: string;
  readonly theme?: 'auto' | 'light' | 'dark';
  readonly accent?: string;
  readonly position?: 'end' | 'start';
  readonly language?: string;
  readonly 'launcher-label'?: string;
  readonly 'render-mode'?: 'default' | 'inline' | 'fullscreen';
  readonly 'auto-open'?: 'true' | 'false';
  readonly preload?: 'intent' | 'idle';
  readonly 'show-icon'?: 'true' | 'false';
  readonly 'show-header'?: 'true' | 'false';
  readonly platform?: 'web' | 'ios' | 'android';
  readonly disclaimer?: string;
  readonly 'policy-links'?: string;
  readonly consent?: 'true' | 'false';
  readonly 'keep-draft'?: 'true' | 'false';
  readonly localized?: string;
  readonly hours?: string;
  readonly 'hours-time-zone'?: string;
  readonly 'outside-hours'?: 'open' | 'closed';
  readonly proactive?: string;
  readonly 'contact-url'?: string;
  readonly features?: string;
}

/** Every attribute of the script tag (with `data-`) and of `<natter-chat>` (without). */
export const ATTRIBUTES: Readonly<Record<keyof NatterChatAttributes, AttributeDefinition>> = {
  endpoint: { option: 'endpoint', values: 'text' },
  connector: { option: 'connector', values: 'text' },
  'agent-name': { option: 'agentName', values: 'text' },
  avatar: { option: 'avatarUrl', values: 'text' },
  'image-hosts': { option: 'imageHosts', values: 'text' },
  title: { option: 'title', values: 'text' },
  welcome: { option: 'welcome', values: 'text' },
  theme: { option: 'theme', values: ['auto', 'light', 'dark'] },
  accent: { option: 'accent', values: 'text' },
  position: { option: 'position', values: ['end', 'start'] },
  language: { option: 'language', values: 'text' },
  'launcher-label': { option: 'launcherLabel', values: 'text' },
  'render-mode': { option: 'renderMode', values: ['default', 'inline', 'fullscreen'] },
  'auto-open': { option: 'autoOpen', values: 'switch' },
  preload: { option: 'preload', values: ['intent', 'idle'] },
  'show-icon': { option: 'showLauncher', values: 'switch' },
  'show-header': { option: 'showHeader', values: 'switch' },
  platform: { option: 'platform', values: ['web', 'ios', 'android'] },
  disclaimer: { option: 'disclaimer', values: 'text' },
  'policy-links': { option: 'policyLinks', values: 'text' },
  consent: { option: 'consent', values: 'switch' },
  'keep-draft': { option: 'keepDraft', values: 'switch' },
  localized: { option: 'localized', values: 'text' },
  hours: { option: 'hours', values: 'text' },
  'hours-time-zone': { option: 'hoursTimeZone', values: 'text' },
  'outside-hours': { option: 'outsideHours', values: ['open', 'closed'] },
  proactive: { option: 'proactive', values: 'text' },
  'contact-url': { option: 'contactUrl', values: 'text' },
  features: { option: 'features', values: 'text' },
};
