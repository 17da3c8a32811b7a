import { fieldNames } from '@natter/sdk';
import type { PersonRouteInfo } from '../../src/staff/person-call.ts';
import type { PersonCalls } from '../../src/staff/person-calls.ts';

/** Texts that databases, columns of JSON or objects of JavaScript may not take. */
const HOSTILE = [
  '\0',
  'a\0b',
  '\ud800',
  'a\udc00',
  '__proto__',
  'constructor',
  "'; --",
  '%',
  'x'.repeat(20_000),
];
/** As written in a path, some of them undecodable. */
const HOSTILE_IDS = [
  '%00',
  'a%00b',
  '%ED%A0%80',
  '%',
  '__proto__',
  '..%2f..',
  '9'.repeat(400),
  '%F0%9F%98%80',
];

/** Lets every call be made. */
export const UNLIMITED: PersonCalls = {
  countBrowser() {},
  make: (_person, _cost, call) => call(),
  beginStream: (_person, read) => read(),
  beginLong: () => () => {},
};

/** A call with a hostile text in one place, and ordinary texts in the others. */
export interface HostileCall {
  readonly name: string;
  readonly methodAndPath: string;
  readonly body?: object;
}

interface SchemaLike {
  readonly type: string;
  readonly wrapped?: SchemaLike;
  readonly item?: SchemaLike;
  readonly options?: readonly unknown[];
  readonly literal?: unknown;
  readonly entries?: Readonly<Record<string, SchemaLike>>;
}

/** Every call of a route that has a hostile text in its path, in its query, or in its body. */
export function hostileCallsOf(route: PersonRouteInfo): readonly HostileCall[] {
  const { id, method, path, query } = route;
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([placeholder]) => placeholder);
  const fill = (text: string): string => names.reduce((filled, name) => filled.replace(name, text), path);
  const sample = sampleBodyOf(route);
  const rest = sample === undefined ? {} : { body: sample as object };
  const ofPath = (names.length === 0 ? [] : HOSTILE_IDS).map((text) => ({
    ...{ name: `${id} of ${text.slice(0, 20)}`, methodAndPath: `${method} ${fill(text)}` },
    ...rest,
  }));
  const ofQuery = [...(query === undefined ? [] : fieldNames(query)), 'project'].flatMap((name) =>
    HOSTILE.slice(0, -1).map((text) => ({
      name: `${id} with ${name}=${JSON.stringify(text)}`,
      methodAndPath: `${method} ${fill('none')}?${new URLSearchParams({ [name]: text })}`,
      ...rest,
    })),
  );
  const ofBody = withHostileTexts(sample).map(({ text, value }) => ({
    name: `${id} of ${JSON.stringify(text.slice(0, 20))} in ${JSON.stringify(value)?.slice(0, 200)}`,
    methodAndPath: `${method} ${fill('none')}`,
    body: value as object,
  }));
  return [...ofPath, ...ofQuery, ...ofBody];
}

/** A body of ordinary texts for a route; undefined: it takes none. */
export function sampleBodyOf({ body }: PersonRouteInfo): unknown {
  // A valibot schema describes its structure; the interface names no more than the types of this repository need.
  return body === undefined ? undefined : sampleOf(body as unknown as SchemaLike);
}

function sampleOf(schema: SchemaLike): unknown {
  const { type, wrapped, item, options, literal, entries } = schema;
  if (wrapped !== undefined) return sampleOf(wrapped);
  if (item !== undefined) return [sampleOf(item)];
  if (entries !== undefined)
    return Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, sampleOf(entry)]));
  const [first] = options ?? [];
  if (first !== undefined) return type === 'picklist' ? first : sampleOf(first as SchemaLike);
  if (literal !== undefined) return literal;
  // A text that most rules for texts let pass.
  return { string: 'ana@example.com', number: 1, boolean: true }[type] ?? {};
}

/** The value once for each text of it and each hostile one in its place. */
function withHostileTexts(value: unknown): readonly { readonly text: string; readonly value: unknown }[] {
  if (typeof value === 'string') return HOSTILE.map((text) => ({ text, value: text }));
  if (Array.isArray(value))
    return withHostileTexts(value[0]).map(({ text, value: hostile }) => ({ text, value: [hostile] }));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    withHostileTexts(inner).map(({ text, value: hostile }) => ({
      text,
      value: { ...value, [name]: hostile },
    })),
  );
}
