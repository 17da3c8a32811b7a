import fc from 'fast-check';
import { asList, asObject, type JsonSchema, type OpenApiFile, resolve, typesOf } from './json-schema.ts';

/** Text that a person might write, in any script; U+0000 is tested separately. */
const anyText = (minLength: number, maxLength: number): fc.Arbitrary<string> =>
  fc
    .string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, 40) })
    .filter((text) => !text.includes('\u0000') && [...text].length <= maxLength);

const anyTime = fc
  .date({ min: new Date('2026-01-01'), max: new Date('2026-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString());

// Values that the reference describes only in prose.
const PROSE: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  url: fc.webPath().map((path) => `https://hooks.example.com${path}`),
  headers: fc.dictionary(fc.stringMatching(/^X-[A-Z][a-z]{1,8}$/), fc.stringMatching(/^[ -~]{0,20}$/), {
    maxKeys: 3,
  }),
  asr_lang_code: fc.constantFrom('en-US', 'de', 'pt-BR'),
  tts_lang_code: fc.constantFrom('en-US', 'de', 'pt-BR'),
  // The built-in voice speaks English.
  language: fc.constantFrom('en', 'en-US', 'en-GB'),
  slice_by: fc.constantFrom('variant', 'language', 'phone_number'),
  account_id: fc.constant('acme'),
  project_id: fc.constant('shop'),
  event_id_location: fc.constantFrom('headers', 'querystring', 'payload'),
};

/**
 * Generates values that match a schema; `name` is the name of their field. Required fields are always present, others
 * sometimes.
 */
export function fitting(file: OpenApiFile, given: unknown, name: string): fc.Arbitrary<unknown> {
  const told = PROSE[name];
  if (told !== undefined) return told;
  const schema = resolve(file, given);
  const { enum: allowed, pattern, format } = schema;
  const options = [...asList(schema['oneOf']), ...asList(schema['anyOf'])];
  if (options.length > 0) return fc.oneof(...options.map((option) => fitting(file, option, name)));
  if ('const' in schema) return fc.constant(schema['const']);
  if (Array.isArray(allowed)) return fc.constantFrom(...allowed);
  const [type = 'string'] = typesOf(schema);
  switch (type) {
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'integer':
    case 'number':
      return fc.integer({ min: Number(schema['minimum'] ?? 0), max: Number(schema['maximum'] ?? 1_000_000) });
    case 'array':
      return fc.array(fitting(file, schema['items'], ''), {
        minLength: Number(schema['minItems'] ?? 0),
        maxLength: 3,
      });
    case 'object':
      return fittingObject(file, schema);
    default:
      if (typeof pattern === 'string') return fc.stringMatching(new RegExp(pattern), { size: 'small' });
      if (format === 'date-time') return anyTime;
      return anyText(Number(schema['minLength'] ?? 1), Number(schema['maxLength'] ?? 40));
  }
}

function fittingObject(file: OpenApiFile, schema: JsonSchema): fc.Arbitrary<unknown> {
  const properties = asObject(schema['properties']);
  const requiredKeys = asList(schema['required'])
    .map(String)
    .filter((name) => name in properties);
  if (Object.keys(properties).length === 0) {
    return fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), anyText(0, 20), { maxKeys: 3 });
  }
  const entries = Object.entries(properties).map(
    ([name, each]) => [name, fitting(file, each, name)] as const,
  );
  return fc.record(Object.fromEntries(entries), { requiredKeys });
}

/** Generates values that do not match a field's schema; `null` if every value does. */
function misfitting(file: OpenApiFile, given: unknown): fc.Arbitrary<unknown> | null {
  const schema = resolve(file, given);
  const types = typesOf(schema);
  if (types.length === 0) return null;
  const others: readonly (readonly [string, fc.Arbitrary<unknown>])[] = [
    ['string', fc.constant('not of this type')],
    ['number', fc.constant(1.5)],
    ['boolean', fc.boolean()],
    ['array', fc.constant([[]])],
    ['object', fc.constant({ a: 1 })],
    ['null', fc.constant(null)],
  ];
  // Some readers accept null for an optional field, and an integer is a number.
  const wrong = others.filter(([type]) => type !== 'null' && !types.includes(type) && !isKin(type, types));
  const outside: fc.Arbitrary<unknown>[] = Array.isArray(schema['enum'])
    ? [fc.constant('none of these')]
    : [];
  if (typeof schema['minimum'] === 'number') outside.push(fc.constant(schema['minimum'] - 1));
  if (typeof schema['maximum'] === 'number') outside.push(fc.constant(schema['maximum'] + 1));
  return fc.oneof(...wrong.map(([, values]) => values), ...outside);
}

function isKin(type: string, types: readonly string[]): boolean {
  return type === 'number' && types.includes('number');
}

/**
 * Generates objects with one invalid field: a missing required one, one of a wrong type, or an unknown one where that
 * is rejected.
 */
export function almostFitting(file: OpenApiFile, given: unknown): fc.Arbitrary<unknown> {
  const schema = resolve(file, given);
  const properties = asObject(schema['properties']);
  const whole = fittingObject(file, schema);
  const damages: fc.Arbitrary<(value: Readonly<Record<string, unknown>>) => unknown>[] = [];
  for (const name of asList(schema['required']).map(String)) {
    damages.push(
      fc.constant((value) => Object.fromEntries(Object.entries(value).filter(([key]) => key !== name))),
    );
  }
  for (const [name, each] of Object.entries(properties)) {
    const wrong = misfitting(file, each);
    if (wrong !== null) damages.push(wrong.map((bad) => (value) => ({ ...value, [name]: bad })));
  }
  if (schema['additionalProperties'] === false) {
    damages.push(fc.constant((value) => ({ ...value, a_field_nobody_knows: 1 })));
  }
  return fc.tuple(whole, fc.oneof(...damages)).map(([value, damage]) => damage(asObject(value)));
}
