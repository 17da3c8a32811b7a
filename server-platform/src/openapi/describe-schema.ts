import type { JsonSchema } from '@natter/sdk';
import { escapeHtml } from './escape-html.ts';

/** The kind of value a schema takes, as HTML: `integer`, `string or null`, a link to a named object. */
export function describeType(schema: JsonSchema): string {
  const { $ref, type, anyOf, items } = schema;
  if ($ref !== undefined) {
    const name = $ref.split('/').at(-1) ?? '';
    return `<a href="#schema-${escapeHtml(name)}">${escapeHtml(name)}</a>`;
  }
  if (anyOf !== undefined) return anyOf.map(describeType).join(' or ');
  if (schema.const !== undefined) return `<code>${escapeHtml(JSON.stringify(schema.const))}</code>`;
  if (type === 'array') return `list of ${items === undefined ? 'anything' : describeType(items)}`;
  if (type === undefined) return 'anything';
  return escapeHtml(typeof type === 'string' ? type : type.join(' or '));
}

/** What a value must be besides its kind, as short phrases of HTML. */
export function describeRules(schema: JsonSchema): readonly string[] {
  const { minimum, maximum, minLength, maxLength, minItems, pattern, format } = schema;
  const code = (value: unknown): string => `<code>${escapeHtml(String(value))}</code>`;
  return [
    schema.enum === undefined ? '' : `one of ${schema.enum.map(code).join(', ')}`,
    range(minimum, maximum, ''),
    range(minLength, maxLength, ' characters'),
    minItems === undefined ? '' : `at least ${minItems} entries`,
    pattern === undefined ? '' : `matches ${code(pattern)}`,
    format === undefined ? '' : escapeHtml(format),
    schema.default === undefined ? '' : `default ${code(schema.default)}`,
    schema.additionalProperties === false ? 'no other fields' : '',
  ].filter((phrase) => phrase !== '');
}

function range(least: number | undefined, most: number | undefined, unit: string): string {
  if (least !== undefined && most !== undefined) return `${least} to ${most}${unit}`;
  if (least !== undefined) return unit !== '' && least === 1 ? 'not empty' : `${least}${unit} or more`;
  return most === undefined ? '' : `at most ${most}${unit}`;
}
