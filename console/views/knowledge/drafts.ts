import type { Article } from './knowledge-types.ts';

/** Unpublished edits, kept as long as the tab, also while other views are open. */
export interface KeptDraft {
  readonly slug: string;
  readonly article: Article;
  /** The version that it was begun on; null: the article is new. */
  readonly base: number | null;
}

const nameOf = (scope: string, slug: string): string => `natter-article ${scope} ${slug}`;

/** The draft of an article; a new one has a name that no article can have. Null: there is none. */
export function readDraft(scope: string, slug: string): KeptDraft | null {
  try {
    return JSON.parse(sessionStorage.getItem(nameOf(scope, slug)) ?? 'null');
  } catch {
    // The browser keeps nothing for this site.
    return null;
  }
}

/** Keeps a draft; null forgets it. */
export function keepDraft(scope: string, slug: string, draft: KeptDraft | null): void {
  try {
    if (draft === null) sessionStorage.removeItem(nameOf(scope, slug));
    else sessionStorage.setItem(nameOf(scope, slug), JSON.stringify(draft));
  } catch {
    // The browser keeps nothing for this site: a draft lasts as long as its page.
  }
}

/** The name of an article from its title: `Car fares & more` is `car-fares-more`. */
export function toSlug(title: string): string {
  const [language = ''] = /^[a-z]{2}\//.exec(title) ?? [];
  const slug = title
    .slice(language.length)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f'’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 80)
    .replace(/^-+|(?<!-)-+$/g, '');
  return slug === '' ? '' : language + slug;
}

/** Lines, or texts between commas, without those that are empty. */
export function readList(text: string, separator: '\n' | ','): readonly string[] {
  return text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
