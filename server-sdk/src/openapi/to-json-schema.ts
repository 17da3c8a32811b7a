import { isOptionalField, partsOf, type SchemaPart } from '../schema/inspect-schema.ts';
import { isRecord } from '../schema/is-record.ts';
import type { JsonSchema } from './json-schema.ts';

/** Named schemas that were met, by name. */
export type Components = Map<string, JsonSchema>;

// Rules that JSON Schema cannot say, or says by the metadata beside them.
const SILENT_RULES = new Set(['check', 'raw_check', 'max_bytes']);

/**
 * Writes a schema as JSON Schema of what it takes in: everything before its first transformation. Named objects go
 * into `components` and are referred to. A kind of schema that is not known here throws, so that no rule is lost
 * unnoticed.
 */
export function toJsonSchema(schema: unknown, components: Components): JsonSchema {
  let json: JsonSchema = {};
  let name: string | null = null;
  for (const part of partsOf(schema)) {
    if (part.kind === 'transformation') break;
    if (part.kind === 'schema') json = { ...json, ...writeType(part, components) };
    else if (part.kind === 'validation') json = { ...json, ...writeRule(part, json) };
    else {
      const said = readMetadata(part);
      json = { ...json, ...said.json };
      name = said.name ?? name;
    }
  }
  if (name === null) return json;
  const known = components.get(name);
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(json)) {
    throw new TypeError(`Two different schemas are called ${name}`);
  }
  components.set(name, json);
  return { $ref: `#/components/schemas/${name}` };
}

function writeType(part: SchemaPart, components: Components): JsonSchema {
  const { raw, type } = part;
  switch (type) {
    case 'unknown':
    case 'custom':
      return {};
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return { type };
    case 'literal':
      return { const: raw['literal'] };
    case 'picklist':
      return { type: 'string', enum: listIn(raw, 'options') };
    case 'array':
      return { type: 'array', items: toJsonSchema(raw['item'], components) };
    case 'record':
      return { type: 'object', additionalProperties: toJsonSchema(raw['value'], components) };
    case 'object':
      return writeObject(raw, components);
    case 'object_with_rest':
      return { ...writeObject(raw, components), additionalProperties: false };
    case 'union':
      return writeUnion(listIn(raw, 'options').map((option) => toJsonSchema(option, components)));
    case 'nullable':
      return writeUnion([toJsonSchema(raw['wrapped'], components), { type: 'null' }]);
    case 'optional': {
      const wrapped = toJsonSchema(raw['wrapped'], components);
      return raw['default'] === undefined ? wrapped : { ...wrapped, default: raw['default'] };
    }
    default:
      throw new TypeError(`No JSON Schema is known for the schema ${type}`);
  }
}

function writeObject(raw: Readonly<Record<string, unknown>>, components: Components): JsonSchema {
  const entries = isRecord(raw['entries']) ? Object.entries(raw['entries']) : [];
  const present = entries.filter(([, entry]) => !isNever(entry));
  const required = present.filter(([, entry]) => !isOptionalField(entry)).map(([key]) => key);
  return {
    type: 'object',
    properties: Object.fromEntries(present.map(([key, entry]) => [key, toJsonSchema(entry, components)])),
    ...(required.length === 0 ? {} : { required }),
  };
}

/** Whether a field exists only to be refused with a message of its own. */
function isNever(entry: unknown): boolean {
  return isRecord(entry) && (entry['type'] === 'never' || ('wrapped' in entry && isNever(entry['wrapped'])));
}

// "A string or null" is one schema with two types; anything else is a choice.
function writeUnion(options: readonly JsonSchema[]): JsonSchema {
  const rest = options.filter((option) => option.type !== 'null');
  const [only] = rest;
  if (rest.length === 1 && options.length === 2 && typeof only?.type === 'string' && !only.enum) {
    return { ...only, type: [only.type, 'null'] };
  }
  return { anyOf: options };
}

function writeRule({ raw, type }: SchemaPart, json: JsonSchema): JsonSchema {
  const { requirement } = raw;
  if (SILENT_RULES.has(type)) return {};
  if (type === 'integer') return { type: 'integer' };
  if (type === 'non_empty') return { minLength: 1 };
  if (type === 'regex' && requirement instanceof RegExp) return { pattern: requirement.source };
  if (typeof requirement === 'number') {
    if (type === 'min_value') return { minimum: requirement };
    if (type === 'max_value') return requirement === Number.MAX_SAFE_INTEGER ? {} : { maximum: requirement };
    if (type === 'min_length')
      return json.type === 'array' ? { minItems: requirement } : { minLength: requirement };
    if (type === 'max_length') return { maxLength: requirement };
  }
  throw new TypeError(`No JSON Schema is known for the rule ${type}`);
}

function readMetadata({ raw, type }: SchemaPart): {
  readonly json: JsonSchema;
  readonly name: string | null;
} {
  if (type === 'description') return { json: textIn(raw, 'description'), name: null };
  const metadata = isRecord(raw['metadata']) ? raw['metadata'] : {};
  const json: JsonSchema = isRecord(metadata['json']) ? metadata['json'] : {};
  const name = metadata['name'];
  return {
    json: { ...textIn(metadata, 'description'), ...json },
    name: typeof name === 'string' ? name : null,
  };
}

function textIn(raw: Readonly<Record<string, unknown>>, key: 'description'): JsonSchema {
  const value = raw[key];
  return typeof value === 'string' ? { [key]: value } : {};
}

function listIn(raw: Readonly<Record<string, unknown>>, key: string): readonly unknown[] {
  const value = raw[key];
  return Array.isArray(value) ? value : [];
}
