import * as v from 'valibot';
import { isRecord } from './is-record.ts';

/** A schema that takes anything and yields `Output`, or issues. */
export type Schema<Output> = v.GenericSchema<unknown, Output>;

/**
 * The value of an object with these fields. Editors show the comment above an entry on the field of the
 * value: the documentation of a type is that of its schema.
 */
export type Fields<Entries extends v.ObjectEntries> = Readonly<
  v.InferOutput<v.ObjectSchema<Entries, undefined>>
>;

/** The same with every field left out or given. */
export type AnyFields<Entries extends v.ObjectEntries> = {
  readonly [Name in keyof Entries]?: v.InferOutput<Entries[Name]> | undefined;
};

/** A value some of whose fields may be left out. */
export type Leaving<Value, Names extends keyof Value> = Omit<Value, Names> & {
  readonly [Name in Names]?: Value[Name] | undefined;
};

/** The same as a caller gives it: a parameter with a default may be left out, times are texts or dates. */
export type GivenFields<Entries extends v.ObjectEntries> = Leaving<
  { readonly [Name in keyof Entries]: Given<Entries[Name]> },
  OptionalName<Entries>
>;

type OptionalName<Entries extends v.ObjectEntries> = {
  [Name in keyof Entries]: Entries[Name] extends { readonly type: 'optional' } ? Name : never;
}[keyof Entries];

// The input of our schemas is not known but for those that say so.
type Given<Entry extends v.ObjectEntries[string]> =
  unknown extends v.InferInput<Entry> ? v.InferOutput<Entry> : v.InferInput<Entry>;

interface KeyIssue {
  readonly path?: readonly unknown[] | undefined;
}

// A missing key carries a path, a value of the wrong kind does not.
const keyMessage = (issue: KeyIssue): string => (issue.path ? 'is required' : 'must be a JSON object');

/**
 * A JSON object with known fields; others are ignored (C-8). Unlike a bare valibot object it refuses arrays.
 * `name` is the component it becomes in the OpenAPI document.
 */
export function objectOf<const Entries extends v.ObjectEntries>(
  name: string,
  description: string,
  entries: Entries,
): Schema<Fields<Entries>> {
  return v.pipe(
    v.unknown(),
    v.check(isRecord, 'must be a JSON object'),
    v.object(entries, keyMessage),
    v.metadata({ name, description }),
  );
}

type Partially<Entries> = {
  [Name in keyof Entries]: v.OptionalSchema<Entries[Name] & v.GenericSchema, undefined>;
};

/** Entries of an object whose fields may all be left out: the update of what the entries create. */
export function partial<Entries extends v.ObjectEntries>(entries: Entries): Partially<Entries> {
  // Object.fromEntries forgets which key had which value; the mapping itself keeps it.
  return Object.fromEntries(
    Object.entries(entries).map(([name, entry]) => [name, v.optional(entry)]),
  ) as Partially<Entries>;
}

// Names that valibot takes for no field at all, unknown ones included.
const PASSED_OVER = ['__proto__', 'prototype', 'constructor'];

// More than a person mistypes; an answer that named every field of the largest body would have four megabytes.
const MAX_UNKNOWN = 20;

/** The object without the unknown fields after the first twenty. */
function withFewUnknown(input: unknown, entries: v.ObjectEntries): unknown {
  if (!isRecord(input)) return input;
  const unknown = Object.keys(input).filter((key) => !Object.hasOwn(entries, key));
  if (unknown.length <= MAX_UNKNOWN) return input;
  const kept = [
    ...Object.keys(entries).filter((key) => Object.hasOwn(input, key)),
    ...unknown.slice(0, MAX_UNKNOWN),
  ];
  return Object.fromEntries(kept.map((key) => [key, input[key]]));
}

/** Like `objectOf`, but a field that is not known is a separate issue, `unknown field`, up to twenty. Source: C-8. */
export function closedObjectOf<const Entries extends v.ObjectEntries>(
  name: string,
  description: string,
  entries: Entries,
): Schema<Fields<Entries>> {
  return v.pipe(
    v.unknown(),
    v.check(isRecord, 'must be a JSON object'),
    v.rawCheck(({ dataset, addIssue }) => {
      const input = dataset.value;
      if (!isRecord(input)) return;
      for (const key of PASSED_OVER) {
        if (!Object.hasOwn(input, key)) continue;
        const path = [{ type: 'object', origin: 'value', input, key, value: input[key] }] as const;
        addIssue({ message: 'unknown field', path: [...path] });
      }
    }),
    v.transform((input) => withFewUnknown(input, entries)),
    v.objectWithRest(entries, v.never('unknown field'), keyMessage),
    v.metadata({ name, description }),
  );
}
