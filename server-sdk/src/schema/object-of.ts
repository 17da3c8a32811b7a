import * as v from 'valibot';
import { isRecord } from './is-record.ts';

/** A schema that takes anything and yields `Output`, or issues. */
export type Schema<Output> = v.GenericSchema<unknown, Output>;

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
): Schema<v.InferOutput<v.ObjectSchema<Entries, undefined>>> {
  return v.pipe(
    v.unknown(),
    v.check(isRecord, 'must be a JSON object'),
    v.object(entries, keyMessage),
    v.metadata({ name, description }),
  );
}

// Names that valibot takes for no field at all, unknown ones included.
const PASSED_OVER = ['__proto__', 'prototype', 'constructor'];

/** Like `objectOf`, but a field that is not known is an issue of its own, `unknown field`. Source: C-8. */
export function closedObjectOf<const Entries extends v.ObjectEntries>(
  name: string,
  description: string,
  entries: Entries,
): Schema<v.InferOutput<v.ObjectSchema<Entries, undefined>>> {
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
    v.objectWithRest(entries, v.never('unknown field'), keyMessage),
    v.metadata({ name, description }),
  );
}

/**
 * A schema for what arrives from elsewhere: `normalise` first brings vendor names, nulls and older shapes into
 * the form that `schema` describes. Readers tolerant, writers strict: the strict form is the documented one.
 */
export function tolerant<Output>(
  schema: Schema<Output>,
  normalise: (raw: unknown) => unknown,
): Schema<Output> {
  return v.pipe(v.unknown(), v.transform(normalise), schema);
}

/** Replaces absent and null fields of an object by defaults; anything else passes unchanged. */
export function fillAbsent(raw: unknown, defaults: Readonly<Record<string, unknown>>): unknown {
  if (!isRecord(raw)) return raw;
  const filled: Record<string, unknown> = { ...raw };
  for (const [key, value] of Object.entries(defaults)) filled[key] = raw[key] ?? value;
  return filled;
}

/** Drops fields that are null, for optional fields that some writers send as null. */
export function dropNulls(raw: unknown, keys: readonly string[]): unknown {
  if (!isRecord(raw)) return raw;
  return Object.fromEntries(
    Object.entries(raw).filter(([key, value]) => value !== null || !keys.includes(key)),
  );
}
