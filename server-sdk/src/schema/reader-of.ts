import * as v from 'valibot';
import { kindOf, partsOf, unwrap } from './inspect-schema.ts';
import { isRecord } from './is-record.ts';
import { objectOf, type Schema } from './object-of.ts';
import { toNeutralFields } from './vendor-names.ts';

/**
 * Returns the tolerant reader of a schema, used for all answers. The schema is strict, for writers; its reader accepts more:
 *
 *   in the schema                     the reader accepts
 *   an object                         other fields, which it drops
 *   an optional field                 null as absent
 *   a nullable field                  absent as null
 *   a field with `orElse`             absent or null as that value
 *   one of a few names                any string, because a newer platform may have more names
 *   a length, a range, whole numbers  values outside them; only emptiness is still refused
 *   `repaired`, `withVendorNames`     repairable values; either name
 */
export function readerOf<Output>(schema: Schema<Output>): Schema<Output> {
  // Each kind is replaced by one of the same kind, so the output type is unchanged.
  return tolerant(schema) as Schema<Output>;
}

function tolerant(schema: unknown): v.GenericSchema {
  const kind = kindOf(schema);
  if (kind === null) return v.unknown();
  const { type, raw } = kind;
  switch (type) {
    case 'optional':
      return v.optional(tolerant(raw['wrapped']));
    case 'nullable':
      return v.nullable(tolerant(raw['wrapped']));
    case 'array':
      return v.array(tolerant(raw['item']), 'must be a list');
    case 'record':
      return v.pipe(
        v.unknown(),
        v.check(isRecord, 'must be a JSON object'),
        v.record(v.string(), tolerant(raw['value'])),
      );
    case 'union':
      return v.union(
        Array.isArray(raw['options']) ? raw['options'].map(tolerant) : [],
        String(raw['message']),
      );
    case 'picklist':
      return v.string('must be a string');
    case 'object':
      return tolerantObject(schema, isRecord(raw['entries']) ? raw['entries'] : {});
    default: {
      // The kind of value without its constraints.
      const bare = raw as unknown as v.GenericSchema;
      const filled = partsOf(schema).find((part) => part.type === 'non_empty');
      return filled === undefined ? bare : v.pipe(bare, filled.raw as never);
    }
  }
}

function tolerantObject(schema: unknown, entries: Readonly<Record<string, unknown>>): v.GenericSchema {
  const { names = {}, repair } = readingOf(schema);
  const fields = Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, tolerant(entry)]));
  return v.pipe(
    v.unknown(),
    v.transform((raw) => readFields(applyRepair(toNeutralFields(raw, names), repair), entries)),
    objectOf('', '', fields),
  );
}

/** Converts the fields to the form that the schema describes. */
function readFields(raw: unknown, entries: Readonly<Record<string, unknown>>): unknown {
  if (!isRecord(raw)) return raw;
  const fields: Record<string, unknown> = { ...raw };
  for (const [name, entry] of Object.entries(entries)) {
    const value = readField(raw[name], entry);
    if (value === undefined) delete fields[name];
    else fields[name] = value;
  }
  return fields;
}

function readField(raw: unknown, entry: unknown): unknown {
  const inner = unwrap(entry);
  const { absent, repair } = readingOf(inner);
  const kind = kindOf(entry);
  if (raw !== null && raw !== undefined)
    // An object is repaired by its own reader.
    return kindOf(inner)?.type === 'object' ? raw : applyRepair(raw, repair);
  if (kind?.type === 'nullable') return null;
  if (kind?.type !== 'optional') return absent ?? raw;
  return kindOf(kind.raw['wrapped'])?.type === 'nullable' ? raw : undefined;
}

const applyRepair = (raw: unknown, repair: Reading['repair']): unknown => (repair ? repair(raw) : raw);

/** Options of reading in addition to the schema. */
interface Reading {
  /** Default for a field that is absent or null. */
  readonly absent?: unknown;
  /** Converts a value to the form that the schema describes. A field that becomes undefined is omitted. */
  readonly repair?: (raw: unknown) => unknown;
  /** The vendor's name of each field that has one. */
  readonly names?: Readonly<Record<string, string>>;
}

// Stored separately from the schemas' metadata, which is included in JSON Schemas.
const READINGS = new WeakMap<object, Reading>();

function readingOf(schema: unknown): Reading {
  return (isRecord(schema) && READINGS.get(schema)) || {};
}

function withReading<Value>(schema: Schema<Value>, reading: Reading): Schema<Value> {
  const marked: Schema<Value> = v.pipe(schema);
  READINGS.set(marked, { ...readingOf(schema), ...reading });
  return marked;
}

/** A field that writers always send. If it is absent or null, `value` is used. */
export const orElse = <Value>(value: Value, schema: Schema<Value>): Schema<Value> =>
  withReading(schema, { absent: value });

/** A value that older writers send in another form, which `repair` converts. */
export const repaired = <Value>(repair: (raw: unknown) => unknown, schema: Schema<Value>): Schema<Value> =>
  withReading(schema, { repair });

/** An object whose fields are also accepted under the vendor's names. */
export const withVendorNames = <Value>(
  names: Readonly<Record<string, string>>,
  schema: Schema<Value>,
): Schema<Value> => withReading(schema, { names });
