import type { PolicyLink, SiteTexts, WidgetOptions } from '../options.ts';

/** What a site says in its own words, as it is shown: within the limits, links checked. */
export interface CheckedTexts extends Omit<SiteTexts, 'policyLinks'> {
  readonly policyLinks?: readonly PolicyLink[];
}

/** A site's own texts in every language, and what was wrong with them. */
export interface SiteTextsByLanguage {
  /** For languages that have no version of their own. */
  readonly usual: CheckedTexts;
  readonly localized: ReadonlyMap<string, CheckedTexts>;
  /** One sentence for each thing that is not shown as it was given. */
  readonly problems: readonly string[];
}

/** In characters. That of the title is ours: more would push the conversation out of the panel. Source: messaging.md 18. */
const MAX_CHARACTERS = { agentName: 50, title: 100, welcome: 100, disclaimer: 500 } as const;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** A value of an option, which an attribute writes as JSON; undefined when it is no JSON. */
function parse(given: unknown): unknown {
  if (typeof given !== 'string') return given;
  try {
    return JSON.parse(given);
  } catch {
    return undefined;
  }
}

/** The language of a tag without script and region; the tag itself when it is none. */
function baseOf(tag: string): string {
  try {
    return new Intl.Locale(tag).language;
  } catch {
    return tag;
  }
}

/** Takes one sentence for each text that is not shown as it was given. */
type Report = (problem: string) => void;

function cut(name: keyof typeof MAX_CHARACTERS, text: unknown, where: string, report: Report) {
  const given = text ?? '';
  if (typeof given !== 'string') {
    report(`${name}${where} is not a text.`);
    return undefined;
  }
  if (!given.trim()) return undefined;
  const characters = [...given.trim()];
  const max = MAX_CHARACTERS[name];
  if (characters.length <= max) return characters.join('');
  report(`${name}${where} has ${characters.length} characters and is cut after ${max}.`);
  return `${characters.slice(0, max - 1).join('')}…`;
}

function toLinks(item: unknown, where: string, report: Report): readonly PolicyLink[] {
  const { label, url } = isObject(item) ? item : {};
  const address = typeof url === 'string' && URL.canParse(url) ? new URL(url) : null;
  if (address?.protocol !== 'https:') {
    report(`A policy link${where} is left out: its url is not an https address (${JSON.stringify(url)}).`);
    return [];
  }
  const name = typeof label === 'string' && label.trim();
  return [{ label: name || address.host, url: address.href }];
}

/** Checks the texts of one language. `where` names the language in problems. */
function check(texts: Readonly<Record<string, unknown>>, where: string, report: Report): CheckedTexts {
  const links = parse(texts['policyLinks']);
  if (texts['policyLinks'] !== undefined && !Array.isArray(links))
    report(`policyLinks${where} is not a list of { "label", "url" }.`);
  const checked = {
    agentName: cut('agentName', texts['agentName'], where, report),
    welcome: cut('welcome', texts['welcome'], where, report),
    disclaimer: cut('disclaimer', texts['disclaimer'], where, report),
    title: cut('title', texts['title'], where, report),
    policyLinks: Array.isArray(links) ? links.flatMap((item) => toLinks(item, where, report)) : undefined,
  };
  // Without the missing texts, so that they do not replace those for all languages.
  return Object.fromEntries(Object.entries(checked).filter(([, value]) => value !== undefined));
}

/**
 * Checks a site's own texts: cuts long ones, leaves out links that are not `https:`, and lists both as problems.
 * Source: messaging.md 18.
 */
export function readSiteTexts(options: WidgetOptions): SiteTextsByLanguage {
  const problems: string[] = [];
  const report: Report = (problem) => void problems.push(problem);

  const usual = check({ ...options }, '', report);
  const localized = parse(options.localized) ?? {};
  if (options.localized !== undefined && (!isObject(localized) || Array.isArray(localized)))
    report('localized is not an object with a language in each key.');
  else if (typeof options.localized === 'string' && parse(options.localized) === undefined)
    report('localized is not valid JSON.');
  const entries = isObject(localized) ? Object.entries(localized) : [];
  return {
    usual,
    localized: new Map(
      entries.flatMap(([tag, texts]) => {
        if (isObject(texts)) return [[tag, check(texts, ` (${tag})`, report)] as const];
        report(`localized (${tag}) is not an object with texts.`);
        return [];
      }),
    ),
    problems,
  };
}

/** The texts for a language: its own version, that of another region, else the usual one. Never translated. Source: messaging.md 14. */
export function selectSiteTexts({ usual, localized }: SiteTextsByLanguage, language: string): CheckedTexts {
  const similar = [...localized.keys()].find((tag) => baseOf(tag) === baseOf(language));
  return { ...usual, ...(localized.get(language) ?? localized.get(similar ?? '')) };
}
