/** The used parts of a JSON schema. */
export interface JsonSchema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly pattern?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly additionalProperties?: JsonSchema | false;
}

/** A setting of the configuration file. */
export interface Setting {
  /** The containing object, such as `accounts[].projects[]`. */
  readonly parent: string;
  readonly name: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
}

/** Lists every setting of a schema, an object before its fields. */
export function listSettings(schema: JsonSchema, at = ''): readonly Setting[] {
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, inner]): readonly Setting[] => [
    { parent: at, name, schema: inner, isRequired: schema.required?.includes(name) === true },
    ...listSettings(inner, at === '' ? name : `${at}.${name}`),
  ]);
  const alternatives = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  const { items, additionalProperties: others } = schema;
  return [
    ...own,
    ...(items === undefined ? [] : listSettings(items, `${at}[]`)),
    ...(others === undefined || others === false ? [] : listSettings(others, `${at}.*`)),
    ...alternatives.flatMap((each) => {
      const kind = each.properties?.['kind']?.const;
      return listSettings(each, kind === undefined ? at : `${at}(${String(kind)})`);
    }),
  ];
}

/** Describes the accepted values of a setting. */
export function describeValue(schema: JsonSchema): string {
  const { type, items, anyOf, oneOf } = schema;
  const alternatives = [...(anyOf ?? []), ...(oneOf ?? [])];
  if (alternatives.length > 0) return [...new Set(alternatives.map(describeValue))].join(' or ');
  if (schema.const !== undefined) return code(schema.const);
  if (schema.enum !== undefined) return schema.enum.map(code).join(', ');
  if (type === 'array') return items === undefined ? 'list' : `list of ${describeValue(items)}`;
  if (type === 'boolean') return '`true` or `false`';
  if (type === 'integer' || type === 'number') return describeNumber(schema);
  if (type === 'string')
    return (schema.minLength ?? 0) > 1 ? `text, at least ${schema.minLength} characters` : 'text';
  if (type === 'null') return '`null`';
  return 'object';
}

function describeNumber({ type, minimum, maximum }: JsonSchema): string {
  const kind = type === 'integer' ? 'whole number' : 'number';
  // The longest a timer can wait says nothing to an operator.
  const most = maximum === undefined || maximum === 2 ** 31 - 1 ? null : maximum;
  if (minimum === undefined) return kind;
  return most === null ? `${kind} from ${minimum}` : `${kind}, ${minimum} to ${most}`;
}

/** A value as code. */
export function code(value: unknown): string {
  return `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
}
