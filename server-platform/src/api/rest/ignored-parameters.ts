import { fieldNames } from '@natter/sdk';
import type { RestRoute } from './rest-route.ts';

/** Lists ignored query parameters. Our extension, because a misspelt filter would otherwise list everything. */
export const IGNORED_PARAMETERS_HEADER = 'X-Natter-Ignored-Parameters';

const MAX_NAMES = 10;
const MAX_CHARACTERS = 64;

/**
 * Builds the header's value: names of query parameters that the route does not know and ignores (C-8), separated by
 * commas; null when there are none. Percent-encoded, at most ten names of 64 characters, with `...` for anything
 * omitted.
 */
export function ignoredParameters(route: RestRoute, query: URLSearchParams): string | null {
  const known = new Set(fieldNames(route.query));
  if (route.projectFrom === 'query') for (const name of ['account_id', 'project_id']) known.add(name);
  // The route reads another parameter under this name. Source: EE-2.
  if (query.get('event_id_location') === 'querystring') known.add(query.get('event_id_path') ?? '');
  const ignored = new Set<string>();
  for (const name of query.keys()) {
    if (known.has(name)) continue;
    ignored.add(write(name));
    if (ignored.size > MAX_NAMES) break;
  }
  if (ignored.size === 0) return null;
  const [...names] = ignored;
  return names.length > MAX_NAMES ? `${names.slice(0, MAX_NAMES).join(', ')}, ...` : names.join(', ');
}

// The text reaches logs and terminals, so it must be a plain name.
function write(name: string): string {
  // By code points, to keep each whole; each has at most two units.
  const points = [...name.slice(0, 2 * MAX_CHARACTERS + 2)];
  const start = encodeURIComponent(points.slice(0, MAX_CHARACTERS).join(''));
  return points.length > MAX_CHARACTERS ? `${start}...` : start;
}
