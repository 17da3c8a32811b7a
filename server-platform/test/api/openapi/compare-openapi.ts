type Json = Readonly<Record<string, unknown>>;

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** Every way in which `ours` differs from what `theirs` describes, one line each, prefixed with its method and path. */
export function compareOpenApi(theirs: unknown, ours: unknown): readonly string[] {
  const reference = new Reader(theirs);
  const own = new Reader(ours);
  return Object.entries(reference.object(reference.root['paths'])).flatMap(([path, item]) => {
    const shared = reference.object(item);
    return METHODS.filter((method) => method in shared).flatMap((method) => {
      const ourItem = own.object(own.object(own.root['paths'])[path]);
      if (!(method in ourItem)) return [`${method.toUpperCase()} ${path}: is not there`];
      const theirOperation = { ...reference.object(shared[method]), shared: shared['parameters'] };
      const found = compareOperation(reference, theirOperation, own, own.object(ourItem[method]));
      return found.map((difference) => `${method.toUpperCase()} ${path}: ${difference}`);
    });
  });
}

function compareOperation(reference: Reader, theirs: Json, own: Reader, ours: Json): readonly string[] {
  const body = reference.object(theirs['requestBody']);
  const ourBody = own.object(ours['requestBody']);
  const found: string[] = [...compareParameters(reference, theirs, own, ours)];
  if ('requestBody' in theirs) {
    if ((body['required'] ?? false) !== (ourBody['required'] ?? false)) found.push('body: required differs');
    const content = own.object(ourBody['content']);
    for (const [type, media] of Object.entries(reference.object(body['content']))) {
      if (!(type in content)) found.push(`body: ${type} is not accepted`);
      else
        found.push(
          ...compareSchemas(
            reference,
            reference.object(media)['schema'],
            own,
            own.object(content[type])['schema'],
            'body',
            'request',
          ),
        );
    }
  }
  const responses = own.object(ours['responses']);
  for (const [status, response] of Object.entries(reference.object(theirs['responses']))) {
    if (!(status in responses)) {
      found.push(`status ${status} is not there`);
      continue;
    }
    const schema = jsonSchemaOf(reference, response);
    const ourSchema = jsonSchemaOf(own, responses[status]);
    if (schema === undefined) continue;
    if (ourSchema === undefined) found.push(`${status}: has no body`);
    else found.push(...compareSchemas(reference, schema, own, ourSchema, status, 'response'));
  }
  return found;
}

function compareParameters(reference: Reader, theirs: Json, own: Reader, ours: Json): readonly string[] {
  const ourParameters = own.list(ours['parameters']).map((parameter) => own.object(parameter));
  const credentials = own.list(ours['security']).flatMap((entry) => Object.keys(own.object(entry)));
  return [...reference.list(theirs['shared']), ...reference.list(theirs['parameters'])].flatMap((raw) => {
    const parameter = reference.object(raw);
    const where = `${String(parameter['in'])} parameter ${String(parameter['name'])}`;
    // Credentials are described once, as security schemes.
    if (parameter['in'] === 'header' && credentials.includes(String(parameter['name']))) return [];
    const match = ourParameters.find(
      ({ name, in: place }) => name === parameter['name'] && place === parameter['in'],
    );
    if (!match) return [`${where}: is not there`];
    const required =
      (parameter['required'] ?? false) === (match['required'] ?? false) ? [] : [`${where}: required differs`];
    return [
      ...required,
      ...compareSchemas(reference, parameter['schema'], own, match['schema'], where, 'request'),
    ];
  });
}

function compareSchemas(
  reference: Reader,
  rawTheirs: unknown,
  own: Reader,
  rawOurs: unknown,
  where: string,
  direction: 'request' | 'response',
): readonly string[] {
  const theirs = reference.schema(rawTheirs);
  const ours = own.schema(rawOurs);
  const found: string[] = [];
  const theirTypes = typesOf(theirs);
  const ourTypes = typesOf(ours);
  // A schema without a type accepts anything.
  const missing = ourTypes.length === 0 ? [] : theirTypes.filter((type) => !ourTypes.includes(type));
  if (missing.length > 0) found.push(`${where}: type ${missing.join()} is ${ourTypes.join()} here`);
  for (const key of [
    'enum',
    'default',
    'minimum',
    'maximum',
    'minLength',
    'maxLength',
    'minItems',
    'pattern',
    'additionalProperties',
  ]) {
    const wanted = theirs[key];
    // Objects with free fields have them in both; additional response fields are no promise.
    const isFree = key === 'additionalProperties' && wanted !== false;
    if (wanted === undefined || isFree) continue;
    if (direction === 'response' && key !== 'enum' && key !== 'minItems') continue;
    if (direction === 'response' && key === 'enum' && ours['enum'] === undefined) continue;
    if (JSON.stringify(wanted) !== JSON.stringify(ours[key])) {
      found.push(`${where}: ${key} is ${JSON.stringify(ours[key])} instead of ${JSON.stringify(wanted)}`);
    }
  }
  const properties = own.object(ours['properties']);
  for (const [name, schema] of Object.entries(reference.object(theirs['properties']))) {
    if (name in properties)
      found.push(...compareSchemas(reference, schema, own, properties[name], `${where}.${name}`, direction));
    else found.push(`${where}.${name}: is not there`);
  }
  const required = reference.list(theirs['required']).map(String);
  const ourRequired = own.list(ours['required']).map(String);
  for (const name of required)
    if (!ourRequired.includes(name)) found.push(`${where}.${name}: is not required`);
  if (direction === 'request') {
    for (const name of ourRequired)
      if (!required.includes(name)) found.push(`${where}.${name}: is required only here`);
  }
  if ('items' in theirs && 'items' in ours) {
    found.push(...compareSchemas(reference, theirs['items'], own, ours['items'], `${where}[]`, direction));
  }
  return found;
}

function jsonSchemaOf(reader: Reader, response: unknown): unknown {
  const content = reader.object(reader.object(response)['content']);
  return reader.object(content['application/json'])['schema'];
}

function typesOf(schema: Json): readonly string[] {
  const { type, const: constant } = schema;
  if (Array.isArray(type)) return type.map(String);
  if (typeof type === 'string') return [type];
  return constant === undefined ? [] : [typeof constant];
}

/** One document, with its references followed. */
class Reader {
  readonly root: Json;

  constructor(document: unknown) {
    this.root = asObject(document);
  }

  object(value: unknown): Json {
    const found = asObject(value);
    const reference = found['$ref'];
    if (typeof reference !== 'string') return found;
    const target = reference
      .slice(2)
      .split('/')
      .reduce<unknown>((at, key) => asObject(at)[key], this.root);
    const { $ref: _, ...beside } = found;
    // Fields beside a reference override it.
    return { ...this.object(target), ...beside };
  }

  list(value: unknown): readonly unknown[] {
    return Array.isArray(value) ? value : [];
  }

  schema(value: unknown): Json {
    const schema = this.object(value);
    const parts = [...this.list(schema['allOf'])].map((part) => this.schema(part));
    return {
      ...schema,
      ...(parts.length === 0
        ? {}
        : {
            type: 'object',
            properties: Object.assign({}, ...parts.map((part) => part['properties'])),
            required: parts.flatMap((part) => this.list(part['required'])),
          }),
    };
  }
}

function asObject(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}
