import { useLocation } from 'preact-iso';
import { type Project, projects } from './session.ts';

/** The path that the console is served at. */
export const BASE = '/console';

/** Values for parameters of an address; null and `''` leave a parameter out. */
export type SearchChanges = Readonly<Record<string, string | null | undefined>>;

/** The address of a view, such as `/conversations`, with parameters; the project that is shown stays the same. */
export function hrefOf(path: string, search: SearchChanges = {}): string {
  const project = new URLSearchParams(location.search).get('project');
  return BASE + path + writeSearch(new URLSearchParams(project === null ? {} : { project }), search);
}

/**
 * The parameters of the address, and a function that changes some of them. An address can be shared: views keep their
 * filters there and nowhere else.
 */
export function useSearch(): readonly [
  search: URLSearchParams,
  change: (changes: SearchChanges, isReplaced?: boolean) => void,
] {
  const { url, route } = useLocation();
  const { pathname, searchParams } = new URL(url, location.origin);
  return [
    searchParams,
    (changes, isReplaced = true) =>
      route(pathname + writeSearch(new URLSearchParams(location.search), changes), isReplaced),
  ];
}

/** The project that the address names, else the first; null when the account has none. */
export function useProject(): Project | null {
  const [search] = useSearch();
  const wanted = search.get('project');
  return projects.value.find(({ id, slug }) => slug === wanted || id === wanted) ?? projects.value[0] ?? null;
}

function writeSearch(search: URLSearchParams, changes: SearchChanges): string {
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === undefined || value === '') search.delete(name);
    else search.set(name, value);
  }
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
}
