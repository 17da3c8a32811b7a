import type { Article } from './article.ts';
import { readTable, type Table } from './read-table.ts';
import { NUMBERS } from './text/to-figures.ts';
import { foldText } from './text/tokenize.ts';

const COUNTED =
  /\b(?<count>[1-9]|one|two|three|four|five|six|seven|eight|nine) (?:(?<adult>adults?|grown.?ups?|people|persons?|of us|pax)|(?<child>child|children|kids?)|(?<student>students?)|(?<senior>seniors?|pensioners?|oaps?))\b/g;
const FOR_TWO = /\bfor (?:the )?(?<count>two|three|four|2|3|4)(?: of us)?[\s?]*$/;

// Ages, other reductions, and prices of something else: no sum of fares.
const OTHER_SUM =
  /\b(?:years?|yrs?|aged?|year olds?|old|resident\w*|islander|group|school|class|pupils?|cabins?|lounge|seats?|rooms?|berth|parking|meals?|kennels?|voucher|rover|ten|flex|bus|taxi|charter|cruise|seabird\w*)\b|\(\d/;

const ASKS_SUM =
  /\b(?:how much|price|prices|cost|costs|fare|fares|pay|single|return|total|altogether|come to|what (?:would|will) (?:that|it) be)\b/;

/** What a fare is asked for. */
interface Share {
  readonly person: string;
  readonly count: number;
}

/**
 * The fare of several persons in one sentence, where it stands as a plain amount in a table of fares: "For 2 adults to
 * Mewsay that is £28.00 (2 × £14.00)." Null where no sum is asked for or a fare is missing.
 */
export function multiplyFare(
  articles: readonly Article[],
  text: string,
  earlier: string,
  places: readonly string[],
): string | null {
  const said = foldText(text.slice(0, MAX_CHARACTERS));
  const words = `${said} ${foldText(earlier)}`;
  const place = placeIn(said, places) ?? placeIn(foldText(earlier), places);
  if (place === null || OTHER_SUM.test(said) || !ASKS_SUM.test(words)) return null;
  const shares = readShares(said);
  if (shares.length === 0 || shares.every(({ count }) => count < 2)) return null;
  const isReturn = /\b(?:return|round ?trip|both ways|there and back)\b/.test(words);
  const tables = articles.flatMap(({ sections }) =>
    sections.flatMap(({ blocks }) => blocks.map(readTable).filter((table) => table !== null)),
  );
  let total = 0;
  const terms: string[] = [];
  for (const { person, count } of shares) {
    const fare = findFare(tables, place, person, isReturn ? 'return' : 'single');
    if (fare === null) return null;
    total += count * fare;
    terms.push(`${count} × £${fare.toFixed(2)}`);
  }
  const who = shares.map(({ person, count }) => `${count} ${pluralOf(person, count)}`).join(' and ');
  return `For ${who} to ${place} the ${isReturn ? 'return' : 'single'} fare is **£${total.toFixed(2)}** (${terms.join(' + ')}).`;
}

const MAX_CHARACTERS = 300;

/** The destination: the last place named, unless the journey begins there. */
function placeIn(text: string, places: readonly string[]): string | null {
  const found = places
    .map((place) => ({ place, at: text.search(new RegExp(`(?<!from )\\b${place.toLowerCase()}\\b`)) }))
    .filter(({ at }) => at !== -1)
    .sort((one, other) => other.at - one.at);
  return found[0]?.place ?? null;
}

function readShares(text: string): readonly Share[] {
  const shares = [...text.matchAll(COUNTED)].map(({ groups = {} }) => {
    const person = ['adult', 'child', 'student', 'senior'].find((name) => groups[name] !== undefined);
    return { person: person ?? 'adult', count: toCount(groups['count']) };
  });
  const pair = FOR_TWO.exec(text)?.groups?.['count'];
  return shares.length === 0 && pair !== undefined ? [{ person: 'adult', count: toCount(pair) }] : shares;
}

const toCount = (word = ''): number => (/\d/.test(word) ? Number(word) : NUMBERS.indexOf(word) + 1);

const pluralOf = (person: string, count: number): string =>
  count === 1 ? person : person === 'child' ? 'children' : `${person}s`;

/** The amount in the row of the place and the column of the person and the ticket. */
function findFare(tables: readonly Table[], place: string, person: string, ticket: string): number | null {
  for (const { headers, rows } of tables) {
    const names = headers.map((header) => header.toLowerCase());
    if (!names.some((name) => name.includes(person))) continue;
    const both = names.findIndex((name) => name.includes(person) && name.includes(ticket));
    const column = both === -1 ? names.indexOf(ticket) : both;
    const cell = rows.find(([name = '']) => name.endsWith(place))?.[column] ?? '';
    const amount = /^£(\d+\.\d\d)$/.exec(cell)?.[1];
    if (amount !== undefined) return Number(amount);
  }
  return null;
}
