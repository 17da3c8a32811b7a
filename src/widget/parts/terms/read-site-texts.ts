import type { PolicyLink, SiteTexts, WidgetOptions } from '../../options.ts';
import { isObject } from './reword-texts.ts';

/** A site's own texts after the checks: within their limits, with safe links only. */
export interface CheckedTexts extends Omit<SiteTexts, 'policyLinks'> {
  readonly policyLinks?: readonly PolicyLink[];
}

/** A site's own texts in all languages, with their problems. */
export interface SiteTextsByLanguage {
  /** Texts for languages without their own version. */
  readonly usual: CheckedTexts;
  readonly localized: ReadonlyMap<string, CheckedTexts>;
  /** One sentence for each text that was shortened or left out. */
  readonly problems: readonly string[];
}

/** The limit of the title is ours: a longer one would leave no room for the conversation. Source: messaging.md 18. */
const MAX_CHARACTERS = { agentName: 50, title: 100, welcome: 100, disclaimer: 500 } as const;

/** Parses an option that is JSON text when given as an attribute. Returns undefined for invalid JSON. */
function parse(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

/** Returns the language of a tag without script and region; the tag itself if it is invalid. */
function baseOf(tag: string): string {
  try {
    return new Intl.Locale(tag).language;
  } catch {
    return tag;
  }
}

/** Called with one sentence for each text that was shortened or left out. */
type Report = (problem: string) => void;

function cut(name: keyof typeof MAX_CHARACTERS, text: unknown, where: string, report: Report) {
  const value = text ?? '';
  if (typeof value !== 'string') {
    report(`${name}${where} is not a text.`);
    return undefined;
  }
  if (!value.trim()) return undefined;
  const characters = [...value.trim()];
  const max = MAX_CHARACTERS[name];
  if (characters.length <= max) return characters.join('');
  report(`${name}${where} has ${characters.length} characters and is cut to ${max}.`);
  return `${characters.slice(0, max - 1).join('')}…`;
}

function toLinks(item: unknown, where: string, report: Report): readonly PolicyLink[] {
  const { label, url } = isObject(item) ? item : {};
  const address = typeof url === 'string' && URL.canParse(url) ? new URL(url) : null;
  if (address?.protocol !== 'https:') {
    report(`A policy link${where} is ignored: its url is not an https address (${JSON.stringify(url)}).`);
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
  // Leaves out missing texts, so that they do not replace those for all languages.
  return Object.fromEntries(Object.entries(checked).filter(([, value]) => value !== undefined));
}

/** Checks the languages of the site's own wording. Its texts are checked when they are shown. */
function checkStrings(strings: unknown, report: Report): void {
  if (strings === undefined || strings === null) return;
  if (!isObject(strings)) report('strings is not an object with a language in each key.');
  for (const [tag, texts] of isObject(strings) ? Object.entries(strings) : []) {
    const base = baseOf(tag);
    if (!isObject(texts)) report(`strings (${tag}) is not an object with texts.`);
    else if (tag !== base && tag !== 'zh-Hant')
      report(`strings (${tag}) is not used. Write the language without a region: ${base}.`);
  }
}

/**
 * Checks a site's own texts: cuts long ones, leaves out links that are not `https:`, and lists both as problems.
 * Source: messaging.md 18.
 */
export function readSiteTexts(options: WidgetOptions): SiteTextsByLanguage {
  const problems: string[] = [];
  const report: Report = (problem) => void problems.push(problem);

  // An empty text means the default, and replaces a value that is not a text.
  const names = Object.keys(MAX_CHARACTERS).filter((name) => name in options);
  const usual: CheckedTexts = {
    ...Object.fromEntries(names.map((name) => [name, ''])),
    ...check({ ...options }, '', report),
  };
  const localized = parse(options.localized) ?? {};
  if (options.localized !== undefined && !isObject(localized))
    report('localized is not an object with a language in each key.');
  else if (typeof options.localized === 'string' && parse(options.localized) === undefined)
    report('localized is not valid JSON.');
  checkStrings(options.strings, report);
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

/** Returns the texts of a language, else of another region of it, else the usual ones. Source: messaging.md 14. */
export function selectSiteTexts({ usual, localized }: SiteTextsByLanguage, language: string): CheckedTexts {
  const similar = [...localized.keys()].find((tag) => baseOf(tag) === baseOf(language));
  return { ...usual, ...(localized.get(language) ?? localized.get(similar ?? '')) };
}
