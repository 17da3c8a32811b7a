import type { WidgetOptions } from './widget-options.ts';

/** Reads one attribute by its name without a prefix, such as `agent-name`; null when it is not there. */
export type ReadAttribute = (name: string) => string | null;

/** Every attribute of the script tag (with `data-`) and of `<natter-chat>` (without). */
export const ATTRIBUTES = [
  'endpoint',
  'connector',
  'agent-name',
  'avatar',
  'title',
  'theme',
  'accent',
  'position',
  'language',
  'render-mode',
  'auto-open',
  'show-icon',
  'show-header',
  'platform',
  'disclaimer',
  'contact',
] as const;

/** One of the attributes. */
export type AttributeName = (typeof ATTRIBUTES)[number];

/** Options from attributes. What is missing, empty or unknown is left out, so that it counts as the default. Source: messaging.md 18. */
export function readAttributes(
  read: ReadAttribute,
): Omit<WidgetOptions, 'endpoint'> & { readonly endpoint?: string } {
  const text = (name: AttributeName): string | undefined => read(name)?.trim() || undefined;
  const oneOf = <Value extends string>(name: AttributeName, ...values: readonly Value[]): Value | undefined =>
    values.find((value) => value === text(name));
  const flag = (name: AttributeName): boolean | undefined => {
    const value = oneOf(name, 'true', 'false');
    return value && value === 'true';
  };
  const options = {
    endpoint: text('endpoint'),
    connector: text('connector'),
    agentName: text('agent-name'),
    avatarUrl: text('avatar'),
    title: text('title'),
    theme: oneOf('theme', 'light', 'dark', 'auto'),
    accent: text('accent'),
    position: oneOf('position', 'end', 'start'),
    language: text('language'),
    renderMode: oneOf('render-mode', 'default', 'fullscreen'),
    autoOpen: flag('auto-open'),
    showLauncher: flag('show-icon'),
    showHeader: flag('show-header'),
    platform: oneOf('platform', 'web', 'ios', 'android'),
    disclaimer: text('disclaimer'),
    contactUrl: text('contact'),
  };
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}
