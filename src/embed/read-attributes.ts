import type { WidgetOptions } from '../widget/index.ts';

/** Attributes by their names in camel case, as in the `dataset` of a script tag, and options that were set since. */
export type RawAttributes = Readonly<Record<string, unknown>>;

/** Options from attributes; missing attributes are missing here. */
export type AttributeOptions = Omit<WidgetOptions, 'endpoint'> & { readonly endpoint?: string };

/** Options that are true or false. */
const SWITCHES: ReadonlySet<string> = new Set<keyof WidgetOptions>([
  'autoOpen',
  'showLauncher',
  'showHeader',
  'consent',
  'keepDraft',
  'allowInsecure',
]);

/**
 * Reads options from attributes. Leaves out missing and empty ones, and a switch that is neither `true` nor `false`. An
 * unknown value of a choice counts as the default where the choice is read. A value that is not a text is the option
 * itself. Source: messaging.md 18.
 */
export function readAttributes({ avatar, showIcon, ...attributes }: RawAttributes): AttributeOptions {
  const options: Record<string, unknown> = {};
  for (const [name, value] of Object.entries({ avatarUrl: avatar, showLauncher: showIcon, ...attributes })) {
    if (typeof value !== 'string') {
      if (value !== undefined) options[name] = value;
      continue;
    }
    const text = value.trim();
    if (!text) continue;
    if (!SWITCHES.has(name)) options[name] = text;
    else if (text === 'true' || text === 'false') options[name] = text === 'true';
  }
  // Attributes are named after options; an unknown one is never read.
  return options as unknown as AttributeOptions;
}
