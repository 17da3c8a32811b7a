/** The filters that an address can name, as the list takes them. */
const NAMES = ['client_env', 'channel', 'variant_id', 'in_progress', 'turn_type'] as const;

const HOUR_MS = 3_600_000;

/** Ranges to choose from, in hours. Without one, everything on record is listed, unless something is searched. */
export const RANGES = [
  ['', 'Any time'],
  ['1', 'Last hour'],
  ['24', 'Last 24 hours'],
  ['168', 'Last 7 days'],
  ['720', 'Last 30 days'],
] as const;

// A search needs a range.
const SEARCH_HOURS = 720;

/** The query of the list for an address. */
export function toListQuery(search: URLSearchParams, nowMs: number): URLSearchParams {
  const query = new URLSearchParams();
  for (const name of ['project', ...NAMES]) {
    const value = search.get(name);
    if (value !== null) query.set(name, value);
  }
  query.set('order', search.get('order') === 'oldest' ? 'oldest' : 'newest');
  const words = search.get('query');
  const isSearch = words !== null && words.trim() !== '';
  if (isSearch) {
    query.set('query', words);
    query.set('query_type', search.get('query_type') ?? 'transcript');
  } else query.delete('turn_type');
  if (query.get('query_type') === 'semantic') query.delete('turn_type');
  const hours = Number(search.get('hours')) || (isSearch ? SEARCH_HOURS : 0);
  if (hours > 0) {
    query.set('start_time', new Date(nowMs - hours * HOUR_MS).toISOString());
    query.set('end_time', new Date(nowMs + HOUR_MS).toISOString());
  }
  return query;
}
