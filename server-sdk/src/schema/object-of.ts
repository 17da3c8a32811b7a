import * as v from 'valibot';
import { isRecord } from './is-record.ts';

/** A schema that accepts any input and returns `Output`, or issues. */
export type Schema<Output> = v.GenericSchema<unknown, Output>;

/**
 * The value of an object with these fields. Editors show the comment above an entry on the value's field, so a schema's
 * comments document its type.
 */
export type Fields<Entries extends v.ObjectEntries> = Readonly<
  v.InferOutput<v.ObjectSchema<Entries, undefined>>
>;

/** The output type with all fields optional. */
export type AnyFields<Entries extends v.ObjectEntries> = {
  readonly [Name in keyof Entries]?: v.InferOutput<Entries[Name]> | undefined;
};

/** A value with some optional fields. */
export type Leaving<Value, Names extends keyof Value> = Omit<Value, Names> & {
  readonly [Name in Names]?: Value[Name] | undefined;
};

/** The input type: parameters with defaults are optional, times are texts or dates. */
export type GivenFields<Entries extends v.ObjectEntries> = Leaving<
  { readonly [Name in keyof Entries]: Given<Entries[Name]> },
  OptionalName<Entries>
>;

type OptionalName<Entries extends v.ObjectEntries> = {
  [Name in keyof Entries]: Entries[Name] extends { readonly type: 'optional' } ? Name : never;
}[keyof Entries];

// Only some schemas declare their input type.
type Given<Entry extends v.ObjectEntries[string]> =
  unknown extends v.InferInput<Entry> ? v.InferOutput<Entry> : v.InferInput<Entry>;

interface KeyIssue {
  readonly path?: readonly unknown[] | undefined;
}

// A missing key has a path, a value of the wrong kind does not.
const keyMessage = (issue: KeyIssue): string => (issue.path ? 'is required' : 'must be a JSON object');

/**
 * A JSON object with known fields; unknown ones are ignored (C-8). Unlike a plain valibot object it refuses arrays.
 * `name` is its component in the OpenAPI document.
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

/** Makes all fields of an object optional: the update body for a create body. */
export function partial<Entries extends v.ObjectEntries>(entries: Entries): Partially<Entries> {
  // Object.fromEntries forgets which key had which value; the mapping itself keeps it.
  return Object.fromEntries(
    Object.entries(entries).map(([name, entry]) => [name, v.optional(entry)]),
  ) as Partially<Entries>;
}

// Names that valibot never accepts as fields, not even as unknown ones.
const PASSED_OVER = ['__proto__', 'prototype', 'constructor'];

// More than typing errors; naming every unknown field of the largest body would take four megabytes.
const MAX_UNKNOWN = 20;

/** The object with at most twenty unknown fields. */
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

/** Like `objectOf`, but each unknown field is an issue, `unknown field`, up to twenty. Source: C-8. */
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
