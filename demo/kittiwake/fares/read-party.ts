/** Travellers, animals and vehicles by kind, such as two of `adult`. */
export type Party = Readonly<Record<string, number>>;

/** The party that a message names. */
export interface ReadParty {
  readonly party: Party;
  /** Items of the message without a known fare, as the visitor wrote them. */
  readonly unpriced: readonly string[];
}

const NUMBERS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
const COUNT = `(?:a|an|my|our|the|his|her|\\d{1,2}|${NUMBERS.slice(1).join('|')})`;

const KINDS: Readonly<Record<string, string>> = {
  infant: 'babies|baby|toddlers?|infants?|newborns?',
  child:
    'children|child|kids?|boys?|girls?|sons?|daughters?|grandchildren|grandchild|grandsons?|granddaughters?|teenagers?',
  student: 'students?',
  senior: 'seniors?|pensioners?|oaps?|grandparents?|grandma|grandpa|gran|granny|grandad',
  adult:
    'adults?|grown ?ups?|people|persons?|pax|wife|husband|partner|friends?|mum|dad|mother|father|parents?',
  car: 'cars?',
  motorcycle: 'motor ?bikes?|motorcycles?|scooters?|mopeds?',
  bicycle: 'bikes?|bicycles?|e ?bikes?',
  pet: 'dogs?|cats?|pets?|puppy',
};

// Their fare depends on the length, the card or the group: the articles say how.
const UNPRICED =
  /\b(?:caravans?|campervans?|campers?|motorhomes?|trailers?|vans?|minibus(?:es)?|coach(?:es)?|lorr(?:y|ies)|trucks?|tandems?|cargo bikes?|horses?|famil(?:y|ies)(?: of \w+)?|couples?|groups?|kayaks?|boats?|sidecars?|quads?)\b/g;

const YEARS = '(?: ?-?(?:years?|yrs?)[ -]?olds?| ?yo)?';
const AGES = new RegExp(
  `^[ ,]*(?:\\(|aged |ages |of )?((?:\\d{1,2}${YEARS}(?: ?, ?| and | & )?){1,6})(?! ?(?:adults?|kids?|children|cars?|bikes?|dogs?|of|people|am|pm|[:.]\\d))\\)?`,
);
const AGED = new RegExp(`\\b(?:${COUNT} )?(\\d{1,2}) ?-?(?:years?|yrs?)[ -]?olds?\\b`, 'g');

const kindOfAge = (age: number): string =>
  age < 5 ? 'infant' : age < 16 ? 'child' : age >= 65 ? 'senior' : 'adult';

const countOf = (word: string | undefined): number =>
  word === undefined ? 1 : /^\d+$/.test(word) ? Number(word) : Math.max(1, NUMBERS.indexOf(word));

/**
 * Reads who travels. Ages decide over words: "2 kids (3 and 17)" are an infant and an adult. What cannot be priced is kept
 * by its words, so that no total silently omits it.
 */
export function readParty(text: string): ReadParty {
  const party: Record<string, number> = {};
  const unpriced: string[] = [];
  const add = (kind: string, count: number): void => {
    party[kind] = (party[kind] ?? 0) + count;
  };
  let rest = text.toLowerCase().replace(/[^a-z0-9,()&:.-]+/g, ' ');
  for (const [found] of rest.matchAll(UNPRICED)) unpriced.push(found);
  rest = rest.replace(UNPRICED, ' ; ');
  for (const [kind, words] of Object.entries(KINDS)) {
    const named = new RegExp(
      `(?:\\b(${COUNT}) )?(?:\\b(?:other|more|young|small|little|old|adult) )?\\b(?:${words})\\b`,
    );
    for (let found = named.exec(rest); found !== null; found = named.exec(rest)) {
      const after = rest.slice(found.index + found[0].length);
      const isPerson = kind === 'child' || kind === 'infant' || kind === 'adult';
      const ages = isPerson ? (AGES.exec(after)?.[0] ?? '') : '';
      const years = [...ages.matchAll(/\d{1,2}/g)].map(([year]) => Number(year));
      const count = countOf(found[1]);
      for (const year of years) add(kindOfAge(year), 1);
      // In "two kids aged 7", the age counts for both.
      if (years.length < count)
        add(years.length === 0 ? kind : kindOfAge(years[0] ?? 0), count - years.length);
      rest = `${rest.slice(0, found.index)} ; ${after.slice(ages.length)}`;
    }
  }
  for (const [, age] of rest.matchAll(AGED)) add(kindOfAge(Number(age)), 1);
  rest = rest.replace(AGED, ' ; ');
  const ofUs = /\b(?:for|of) (?:the )?(two|three|four|five|six|\d)(?: of us)?\b/.exec(rest)?.[1];
  const persons = ['adult', 'child', 'infant', 'student', 'senior'];
  if (ofUs !== undefined && persons.every((kind) => party[kind] === undefined)) add('adult', countOf(ofUs));
  if (/\b(?:me|myself|i am|we are)\b.{0,12}\b(?:and|plus|with|,) /.test(rest) && ofUs === undefined)
    if (/\b(?:me|myself)\b/.test(rest)) add('adult', 1);
  return { party, unpriced };
}
