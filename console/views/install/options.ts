import manifestText from '../../../custom-elements.json?raw';
import { ATTRIBUTES } from '../../../src/embed/attributes.ts';
import { readRules } from '../../../src/embed/proactive/read-rules.ts';
import { readOpeningHours } from '../../../src/protocol/index.ts';
import type { SearchChanges } from '../../location.ts';

/** A name of an attribute of `<natter-chat>`. */
export type AttributeName = keyof typeof ATTRIBUTES;

/** The chosen settings: attributes, properties for style sheets and a theme, each only where it is not the default. */
export interface Setup {
  readonly attributes: Readonly<Partial<Record<AttributeName, string>>>;
  readonly properties: Readonly<Record<string, string>>;
  /** Name of a ready theme; empty: none. */
  readonly sheet: string;
  /** Address of the site that the widget is to stand on. */
  readonly site: string;
}

interface Described {
  readonly name: string;
  readonly description: string;
}

const manifest: {
  readonly modules: readonly {
    readonly declarations: readonly {
      readonly attributes: readonly Described[];
      readonly cssProperties: readonly Described[];
    }[];
  }[];
} = JSON.parse(manifestText);
const [element] = manifest.modules[0]?.declarations ?? [];

const plain = ({ name, description }: Described): readonly [string, string] => [
  name,
  description.replaceAll('`', '').replace(/ ?See [^.]+\.$/, ''),
];

/** Description of each attribute, from the custom-elements manifest. */
export const DESCRIPTIONS: ReadonlyMap<string, string> = new Map(element?.attributes.map(plain));

/** The properties for style sheets, from the same place. */
export const PROPERTIES: readonly (readonly [name: string, description: string])[] = (
  element?.cssProperties ?? []
)
  .filter(({ name }) => name !== '--natter-accent')
  .map(plain);

export const THEMES = ['bloom', 'desk', 'harbour', 'ink', 'paper'] as const;

const GROUPS: readonly (readonly [title: string, names: readonly AttributeName[]])[] = [
  ['Where it runs', ['endpoint', 'connector', 'platform', 'render-mode', 'position', 'preload']],
  ['Agent and texts', ['agent-name', 'avatar', 'title', 'welcome', 'disclaimer', 'language']],
  ['Colours and look', ['accent', 'theme', 'show-header']],
  ['Launcher', ['show-icon', 'launcher-label', 'auto-open']],
  ['Texts in other languages', ['localized']],
  ['Opening hours', ['hours', 'hours-time-zone', 'outside-hours', 'contact-url']],
  ['Proactive messages', ['proactive']],
  ['Consent, features and pictures', ['consent', 'keep-draft', 'policy-links', 'features', 'image-hosts']],
];

/** Every attribute in a group; one that no group names is in the last. */
export const OPTION_GROUPS: readonly (readonly [string, readonly AttributeName[]])[] = (() => {
  const named = new Set(GROUPS.flatMap(([, names]) => names));
  const others = (Object.keys(ATTRIBUTES) as AttributeName[]).filter((name) => !named.has(name));
  return others.length === 0 ? GROUPS : [...GROUPS, ['Others', others]];
})();

/** Reads the choices from the address. */
export function readSetup(search: URLSearchParams): Setup {
  const attributes: Partial<Record<AttributeName, string>> = {};
  for (const name of Object.keys(ATTRIBUTES) as AttributeName[]) {
    const value = search.get(`w-${name}`);
    if (value !== null) attributes[name] = value;
  }
  const properties: Record<string, string> = {};
  for (const [name] of PROPERTIES) {
    const value = search.get(name.slice(2));
    if (value !== null) properties[name] = value;
  }
  const sheet = search.get('theme') ?? '';
  return {
    attributes,
    properties,
    sheet: THEMES.some((name) => name === sheet) ? sheet : '',
    site: search.get('site') ?? '',
  };
}

/** The choices with the address of this installation's token proxy where no other is chosen. */
export const completeSetup = (setup: Setup, tokenProxyUrl: string | null): Setup => {
  const endpoint = setup.attributes.endpoint ?? tokenProxyUrl;
  return endpoint === null ? setup : { ...setup, attributes: { ...setup.attributes, endpoint } };
};

/** A change of an attribute for the address. */
export const attributeChange = (name: AttributeName, value: string): SearchChanges => ({
  [`w-${name}`]: value,
});

/** A change of a property for style sheets. */
export const propertyChange = (name: string, value: string): SearchChanges => ({ [name.slice(2)]: value });

/** The fault of a value; null: none that is detectable here. */
export function findProblem(name: AttributeName, value: string): string | null {
  if (value.trim() === '') return null;
  try {
    if (name === 'hours') readOpeningHours(value);
    if (name === 'proactive') readRules(value);
    if (name === 'localized' || name === 'policy-links') JSON.parse(value);
    if (name === 'hours-time-zone') new Intl.DateTimeFormat('en', { timeZone: value });
    if (name === 'language') Intl.getCanonicalLocales(value);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  if (name === 'accent' && !CSS.supports('color', value)) return 'This isn’t a CSS colour.';
  const isAddress = name === 'endpoint' || name === 'avatar';
  return isAddress && !/^(?:https?:\/\/|\.{0,2}\/)/.test(value)
    ? 'Write an address that begins with https:// or /.'
    : null;
}

/** The value of an option in code: what the attribute's text stands for. */
function toOption(name: AttributeName, value: string): unknown {
  if (ATTRIBUTES[name].values === 'switch') return value === 'true';
  if (name !== 'localized' && name !== 'proactive' && name !== 'policy-links') return value;
  try {
    return JSON.parse(value);
  } catch {
    // The user is still typing: the fault is shown below the field.
    return undefined;
  }
}

/** The options of `mount`, by name. */
export function toOptions({ attributes }: Pick<Setup, 'attributes'>): Readonly<Record<string, unknown>> {
  const entries = Object.entries(attributes) as [AttributeName, string][];
  return Object.fromEntries(
    entries
      .map(([name, value]) => [ATTRIBUTES[name].option, toOption(name, value)] as const)
      .filter(([, value]) => value !== undefined),
  );
}
