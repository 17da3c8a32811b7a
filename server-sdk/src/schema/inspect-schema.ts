import { isRecord } from './is-record.ts';

/** One schema or action as valibot keeps it. */
export interface SchemaPart {
  readonly kind: string;
  readonly type: string;
  readonly raw: Readonly<Record<string, unknown>>;
}

/** The parts a schema runs one after the other: itself, or the items of its pipe, pipes in pipes flattened. */
function partsOf(schema: unknown): readonly SchemaPart[] {
  if (!isRecord(schema)) return [];
  const pipe = schema['pipe'];
  if (Array.isArray(pipe)) return pipe.flatMap(partsOf);
  const { kind, type } = schema;
  return typeof kind === 'string' && typeof type === 'string' ? [{ kind, type, raw: schema }] : [];
}

/** The fields of an object schema, in order; null when the schema describes no object. */
export function fieldsOf(schema: unknown): Readonly<Record<string, unknown>> | null {
  for (const part of partsOf(schema)) {
    const entries = part.raw['entries'];
    if (isRecord(entries)) return entries;
  }
  return null;
}

/** Names of the fields of an object schema, in order; none when it describes no object. */
export function fieldNames(schema: unknown): readonly string[] {
  return Object.keys(fieldsOf(schema) ?? {});
}

/** What kind of value a field of an object schema takes; null when there is no such field. */
export function inspectField(schema: unknown, name: string): SchemaPart | null {
  const fields = fieldsOf(schema);
  if (!fields || !Object.hasOwn(fields, name)) return null;
  return baseOf(fields[name]);
}

/** Whether a query parameter of this kind may stand several times. Source: C-9. */
export function isRepeatable(part: SchemaPart): boolean {
  return part.type === 'array';
}

/** The part that decides what kind of value it is, under `optional`, `nullable` and pipes. */
function baseOf(schema: unknown): SchemaPart | null {
  for (const part of partsOf(schema)) {
    if (part.kind !== 'schema' || part.type === 'unknown') continue;
    return 'wrapped' in part.raw ? baseOf(part.raw['wrapped']) : part;
  }
  return null;
}
