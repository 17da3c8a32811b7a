import { fieldNames } from '@natter/sdk';
import type { PersonRouteInfo } from '../../server-platform/src/staff/index.ts';

/** Largest body of a REST call, and of a call of the console or the desk. */
export const REST_BYTES = 1_048_576;
export const PERSON_BYTES = 65_536;

/** A JSON text of at most `size` characters: as many items as fit between `start` and `end`. */
function fill(size: number, item: (n: number) => string, start: string, end: string): string {
  const items: string[] = [];
  let length = start.length + end.length;
  for (let n = 0; ; n += 1) {
    const next = item(n);
    length += next.length + 1;
    if (length > size) return start + items.join(',') + end;
    items.push(next);
  }
}

/** Fields that JSON may have in all its objects. */
const FIELDS = 20_000;

/** A body with almost as many fields as are accepted, whose names all differ. */
function fillWithFields(size: number, start: string, item: (field: string) => string, end: string): string {
  // Besides its name, a field takes six characters, or nine as the only one of its object.
  const digits = Math.ceil(size / FIELDS) - 5;
  return fill(size, (n) => item(`"f${String(n).padStart(digits, '0')}":1`), start, end);
}

const LEVELS = 150;
const DEEP = '['.repeat(LEVELS) + ']'.repeat(LEVELS);

/** Values of a field that take long to look at, as JSON of about `size` characters. */
const VALUES: Readonly<Record<string, (size: number) => string>> = {
  'a list of numbers': (size) => fill(size, () => '1', '[', ']'),
  'a list of empty texts': (size) => fill(size, () => '""', '[', ']'),
  'a list of empty objects': (size) => fill(size, () => '{}', '[', ']'),
  'an object of numbers': (size) => fill(size, (n) => `"f${n}":1`, '{', '}'),
  'objects with names of their own': (size) => fill(size, (n) => `{"f${n}":1}`, '[', ']'),
  'as many names as are accepted': (size) => fillWithFields(size, '[', (field) => `{${field}}`, ']'),
  'deep lists': (size) => fill(size, () => DEEP, '[', ']'),
  'a long text': (size) => `"${'word '.repeat(size / 5 - 1)}"`,
};

type BodySchema = NonNullable<PersonRouteInfo['body']>;

/** Bodies of the largest size by a description: each field of the schema with each of those values, and fields that it lacks. */
export function hostileBodies(schema: BodySchema, maxBytes: number): ReadonlyMap<string, string> {
  const bodies = new Map([
    ['unknown fields', VALUES['an object of numbers']?.(maxBytes) ?? ''],
    ['a lossy number at the end', fill(maxBytes - 40, () => '1', '{"f":[', ',9007199254740993]}')],
  ]);
  for (const field of fieldNames(schema))
    for (const [what, make] of Object.entries(VALUES))
      bodies.set(`${field}: ${what}`, `{"${field}":${make(maxBytes - field.length - 5)}}`);
  return bodies;
}

/** Lists and other values of about the size, as JSON, with a description. */
export function hostileLists(size: number): readonly (readonly [what: string, json: string])[] {
  return Object.entries(VALUES).map(([what, make]) => [what, make(size)]);
}

/** Objects whose JSON has about `size` bytes. */
export const HOSTILE_OBJECTS: Readonly<Record<string, (size: number) => Readonly<Record<string, unknown>>>> =
  {
    wide: (size) => JSON.parse(fillWithFields(size, '{', (field) => field, '}')),
    'of objects with names of their own': (size) =>
      JSON.parse(fillWithFields(size - 8, '{"f":[', (field) => `{${field}}`, ']}')),
    deep: (size) => JSON.parse(fill(size - 8, () => DEEP, '{"f":[', ']}')),
    'of empty lists': (size) => JSON.parse(fill(size - 8, () => '[]', '{"f":[', ']}')),
    'of a long text': (size) => ({ f: 'a '.repeat((size - 8) / 2) }),
  };
