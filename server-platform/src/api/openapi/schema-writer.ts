import type { Schema } from '@natter/sdk';
import { type ConversionConfig, toJsonSchema } from '@valibot/to-json-schema';

/** The part of OpenAPI 3.1's JSON Schema dialect that is used here. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly JsonSchema[];
  readonly [keyword: string]: unknown;
}

/** Converts valibot schemas to JSON Schema and collects the named ones. */
export interface SchemaWriter {
  /**
   * Converts a schema; a named object becomes a reference to its component. Throws for a rule that cannot be expressed.
   */
  write(schema: Schema<unknown>): JsonSchema;
  /** Converts a named object itself, without adding it to the components. */
  writeInline(schema: Schema<unknown>): JsonSchema;
  /** The named objects so far, by name. */
  readonly components: ReadonlyMap<string, JsonSchema>;
}

// Rules that JSON Schema cannot express, or that adjacent metadata expresses.
const SILENT_ACTIONS: ReadonlySet<string> = new Set(['check', 'raw_check', 'max_bytes', 'transform']);

// Carries an object's name from its metadata to `tidy`. Not a JSON Schema keyword.
const NAME = 'componentName';

/**
 * `output`, because object schemas begin with `unknown` to refuse arrays, and the last schema of a pipe is the
 * documented one. No documented schema transforms its value.
 */
const CONVERSION: ConversionConfig = {
  target: 'draft-2020-12',
  typeMode: 'output',
  ignoreActions: [...SILENT_ACTIONS],
  overrideSchema: ({ valibotSchema, jsonSchema }) => (valibotSchema.type === 'custom' ? jsonSchema : null),
  overrideAction({ valibotAction, jsonSchema }) {
    if (valibotAction.type === 'max_value' && jsonSchema.maximum === Number.MAX_SAFE_INTEGER) {
      const { maximum: _, ...rest } = jsonSchema;
      return rest;
    }
    // JSON Schema treats patterns as Unicode anyway.
    if ('requirement' in valibotAction && valibotAction.type === 'regex')
      return hasFlags(valibotAction.requirement, 'u') ? jsonSchema : null;
    if (valibotAction.type !== 'metadata' || !('metadata' in valibotAction)) return null;
    const { json, name, ...rest } = { json: {}, name: undefined, ...jsonSchema };
    return { ...rest, ...json, ...(typeof name === 'string' && { [NAME]: name }) };
  },
};

/** Makes a writer without components. */
export function createSchemaWriter(): SchemaWriter {
  const components = new Map<string, JsonSchema>();
  const collect = (name: string, schema: JsonSchema): JsonSchema => {
    const known = components.get(name);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema)) {
      throw new TypeError(`Two different schemas are called ${name}`);
    }
    components.set(name, schema);
    return { $ref: `#/components/schemas/${name}` };
  };
  const convert = (schema: Schema<unknown>): Record<string, unknown> => {
    const { $schema: _, ...json } = toJsonSchema(schema, CONVERSION);
    return json;
  };
  return {
    components,
    write: (schema) => tidy(convert(schema), collect),
    writeInline(schema) {
      const { [NAME]: _, ...json } = convert(schema);
      return tidy(json, collect);
    },
  };
}

type Collect = (name: string, schema: JsonSchema) => JsonSchema;

/** Replaces named objects by references, and shortens verbose constructs of the library. */
function tidy(json: Readonly<Record<string, unknown>>, collect: Collect): JsonSchema {
  const {
    [NAME]: name,
    properties,
    items,
    anyOf,
    oneOf,
    additionalProperties,
    required,
    propertyNames: _,
    ...rest
  } = json;
  const inner = (part: unknown): JsonSchema => (isRecord(part) ? tidy(part, collect) : {});
  const fields = isRecord(properties)
    ? Object.entries(properties).filter(([, field]) => !isNever(field))
    : null;
  const schema: JsonSchema = {
    ...rest,
    ...(fields !== null && {
      properties: Object.fromEntries(fields.map(([key, field]) => [key, inner(field)])),
    }),
    ...(Array.isArray(required) && required.length > 0 && { required: required.map(String) }),
    ...(items !== undefined && { items: inner(items) }),
    ...(additionalProperties !== undefined && {
      additionalProperties: isRecord(additionalProperties)
        ? !isNever(additionalProperties) && inner(additionalProperties)
        : additionalProperties,
    }),
    ...(Array.isArray(anyOf) && tidyChoice(anyOf.map(inner), rest)),
    ...(Array.isArray(oneOf) && { oneOf: oneOf.map(inner) }),
  };
  return typeof name === 'string' ? collect(name, schema) : schema;
}

/** Writes "a string or null" as one schema with two types, and anything else as a choice. */
function tidyChoice(options: readonly JsonSchema[], beside: JsonSchema): JsonSchema {
  const [only, ...others] = options.filter(({ type }) => type !== 'null');
  const isSimple =
    options.length === 2 && others.length === 0 && typeof only?.type === 'string' && !only.enum;
  return isSimple ? { ...only, ...beside, type: [String(only.type), 'null'] } : { anyOf: options };
}

/** Whether a field only exists to be refused with a specific message, or all other fields are refused. */
function isNever(json: unknown): boolean {
  return isRecord(json) && isRecord(json['not']) && Object.keys(json['not']).length === 0;
}

function hasFlags(pattern: unknown, flags: string): boolean {
  return pattern instanceof RegExp && pattern.flags === flags;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
