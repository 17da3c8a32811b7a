/** A JSON Schema as the reference's description files write it: OpenAPI 3.0 and 3.1. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A description file; `$ref` points into it. */
export type OpenApiFile = Readonly<Record<string, unknown>>;

/** Returns an object unchanged, and an empty one for any other value. */
export function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

/** Returns a list unchanged, and an empty one for any other value. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Resolves references until there is a schema. */
export function resolve(file: OpenApiFile, value: unknown): JsonSchema {
  const schema = asObject(value);
  const { $ref: reference, ...beside } = schema;
  if (typeof reference !== 'string') return schema;
  let target: unknown = file;
  for (const step of reference.slice(2).split('/')) target = asObject(target)[step];
  return { ...resolve(file, target), ...beside };
}

/** Returns the types that a schema allows; empty for any. */
export function typesOf(schema: JsonSchema): readonly string[] {
  const { type } = schema;
  const types = typeof type === 'string' ? [type] : asList(type).map(String);
  return schema['nullable'] === true && types.length > 0 ? [...types, 'null'] : types;
}

/** Returns each difference between a value and a schema, one per line. */
export function findMisfits(file: OpenApiFile, given: unknown, value: unknown, path = ''): readonly string[] {
  const schema = resolve(file, given);
  const within = (part: unknown): readonly string[] => findMisfits(file, part, value, path);
  const found: string[] = asList(schema['allOf']).flatMap(within);
  for (const kind of ['anyOf', 'oneOf'] as const) {
    const options = asList(schema[kind]);
    if (options.length > 0 && options.every((option) => within(option).length > 0)) {
      found.push(`${path}: fits none of ${kind}`);
    }
  }
  const types = typesOf(schema);
  if (types.length > 0 && !types.some((type) => isOfType(type, value))) {
    return [...found, `${path}: is ${JSON.stringify(value)}, not ${types.join(' or ')}`];
  }
  const { enum: allowed } = schema;
  if (Array.isArray(allowed) && value !== null && !allowed.includes(value)) {
    found.push(`${path}: ${JSON.stringify(value)} is none of ${allowed.join(', ')}`);
  }
  if (typeof value === 'string') found.push(...findTextMisfits(schema, value, path));
  if (typeof value === 'number') found.push(...findNumberMisfits(schema, value, path));
  if (Array.isArray(value)) {
    if (value.length < Number(schema['minItems'] ?? 0)) found.push(`${path}: has too few items`);
    for (const [index, item] of value.entries()) {
      found.push(...findMisfits(file, schema['items'], item, `${path}[${index}]`));
    }
  } else if (typeof value === 'object' && value !== null) {
    found.push(...findObjectMisfits(file, schema, { ...value }, path));
  }
  return found;
}

function isOfType(type: string, value: unknown): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type;
}

function findTextMisfits(schema: JsonSchema, value: string, path: string): readonly string[] {
  const found: string[] = [];
  const { pattern, format } = schema;
  const length = [...value].length;
  if (typeof pattern === 'string' && !new RegExp(pattern, 'u').test(value)) {
    found.push(`${path}: ${JSON.stringify(value)} does not match ${pattern}`);
  }
  if (length < Number(schema['minLength'] ?? 0)) found.push(`${path}: is too short`);
  if (length > Number(schema['maxLength'] ?? Number.POSITIVE_INFINITY)) found.push(`${path}: is too long`);
  if (format === 'date-time' && !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(value)) {
    found.push(`${path}: ${JSON.stringify(value)} is no date-time`);
  }
  if (format === 'uri' && !URL.canParse(value)) found.push(`${path}: ${JSON.stringify(value)} is no URI`);
  return found;
}

function findNumberMisfits(schema: JsonSchema, value: number, path: string): readonly string[] {
  const { minimum, maximum } = schema;
  const isTooSmall = typeof minimum === 'number' && value < minimum;
  const isTooLarge = typeof maximum === 'number' && value > maximum;
  return isTooSmall || isTooLarge ? [`${path}: ${value} is out of range`] : [];
}

function findObjectMisfits(
  file: OpenApiFile,
  schema: JsonSchema,
  value: Readonly<Record<string, unknown>>,
  path: string,
): readonly string[] {
  const found = asList(schema['required'])
    .map(String)
    .filter((name) => !(name in value))
    .map((name) => `${path}.${name}: is missing`);
  const properties = asObject(schema['properties']);
  const { additionalProperties: others } = schema;
  for (const [name, entry] of Object.entries(value)) {
    if (name in properties) found.push(...findMisfits(file, properties[name], entry, `${path}.${name}`));
    else if (others === false) found.push(`${path}.${name}: is not allowed`);
    else if (typeof others === 'object') found.push(...findMisfits(file, others, entry, `${path}.${name}`));
  }
  return found;
}
