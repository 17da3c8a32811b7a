import { isRecord } from './is-record.ts';

/** A schema or action in valibot's representation. */
export interface SchemaPart {
  readonly kind: string;
  readonly type: string;
  readonly raw: Readonly<Record<string, unknown>>;
}

/** The parts that a schema runs in order: itself, or the flattened items of its pipe. */
export function partsOf(schema: unknown): readonly SchemaPart[] {
  if (!isRecord(schema)) return [];
  const pipe = schema['pipe'];
  if (Array.isArray(pipe)) return pipe.flatMap(partsOf);
  const { kind, type } = schema;
  return typeof kind === 'string' && typeof type === 'string' ? [{ kind, type, raw: schema }] : [];
}

/** The part that determines the accepted kind of value; null when it accepts anything. */
export function kindOf(schema: unknown): SchemaPart | null {
  return partsOf(schema).find(({ kind, type }) => kind === 'schema' && type !== 'unknown') ?? null;
}

/** The schema without null and undefined. */
export function unwrap(schema: unknown): unknown {
  const wrapped = kindOf(schema)?.raw['wrapped'];
  return wrapped === undefined ? schema : unwrap(wrapped);
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

/** A one-line description of each field of an object schema, in order. */
export function fieldDescriptions(schema: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(fieldsOf(schema) ?? {}).map(([name, field]) => [name, descriptionOf(unwrap(field))]),
  );
}

function descriptionOf(schema: unknown): string {
  const texts = partsOf(schema).map(({ raw }) =>
    isRecord(raw['metadata']) ? raw['metadata']['description'] : raw['description'],
  );
  return texts.findLast((text) => typeof text === 'string') ?? '';
}

/** The kind of value of an object schema's field; null when there is no such field. */
export function inspectField(schema: unknown, name: string): SchemaPart | null {
  const fields = fieldsOf(schema);
  return fields && Object.hasOwn(fields, name) ? kindOf(unwrap(fields[name])) : null;
}

/** Whether a query parameter of this kind may be repeated. Source: C-9. */
export function isRepeatable(part: SchemaPart): boolean {
  return part.type === 'array';
}
