import type { Sailings } from './sailings.ts';

/** From where to where. */
export interface Route {
  readonly from: string;
  readonly to: string;
  /** False when the message names no place and the route is that of the conversation. */
  readonly isNamed: boolean;
}

interface NamedPlace {
  readonly place: string;
  readonly role: 'start' | 'end' | null;
}

const FROM = /\b(?:from|leaves?|leaving|departs?|departing|out of|off)(?: the)? $/;
const TO = /\b(?:to|for|towards|reach|into|visit|in)(?: the)? $/;

function findPlaces(words: string, { placeNames }: Sailings): readonly NamedPlace[] {
  const names = placeNames.map(([name]) => name).join('|');
  const byName = new Map(placeNames);
  return [...words.matchAll(new RegExp(`\\b(?:${names})\\b`, 'g'))].map((match) => {
    const before = words.slice(Math.max(0, match.index - 24), match.index);
    const role = FROM.test(before) ? 'start' : TO.test(before) ? 'end' : null;
    return { place: byName.get(match[0]) ?? '', role };
  });
}

/** The route that a message names, else the one of the conversation; null when there is none. `words` is folded. */
export function readRoute(
  words: string,
  sailings: Sailings,
  remembered: { readonly route: Route | null; readonly words: string },
): Route | null {
  const places = findPlaces(words, sailings).filter(
    ({ place }, position, all) => all.findIndex((other) => other.place === place) === position,
  );
  const isBack = /\b(?:back|return|returning|home)\b/.test(words);
  const hub = sailings.directions[0]?.from ?? '';
  const [first, second] = places;
  if (first === undefined) {
    const known = remembered.route ?? routeIn(remembered.words, sailings);
    if (known === null) return null;
    return isBack ? { from: known.to, to: known.from, isNamed: false } : { ...known, isNamed: false };
  }
  if (second !== undefined) {
    const isSwapped = second.role === 'start' || (first.role === 'end' && second.role !== 'end');
    return isSwapped
      ? { from: second.place, to: first.place, isNamed: true }
      : { from: first.place, to: second.place, isNamed: true };
  }
  const { place, role } = first;
  if (place === hub) {
    const known = remembered.route ?? routeIn(remembered.words, sailings);
    const other = known === null ? null : known.from === hub ? known.to : known.from;
    if (other === null) return null;
    return role === 'start'
      ? { from: hub, to: other, isNamed: true }
      : { from: other, to: hub, isNamed: true };
  }
  const near = nearestTo(place, hub, sailings);
  const isFrom = role === 'start' || (isBack && role !== 'end');
  return isFrom ? { from: place, to: near, isNamed: true } : { from: near, to: place, isNamed: true };
}

/** Where one changes or comes from: the hub, or the other end of the only route. */
function nearestTo(place: string, hub: string, { directions }: Sailings): string {
  const reached = directions.filter(({ to }) => to === place).map(({ from }) => from);
  return reached.includes(hub) ? hub : (reached[0] ?? hub);
}

function routeIn(words: string, sailings: Sailings): Route | null {
  const [first, second] = findPlaces(words.toLowerCase(), sailings);
  return first === undefined
    ? null
    : second === undefined && first.place === sailings.directions[0]?.from
      ? null
      : readRoute(words.toLowerCase(), sailings, { route: null, words: '' });
}
