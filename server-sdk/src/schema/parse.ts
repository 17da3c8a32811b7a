import * as v from 'valibot';
import { inspectField, isRepeatable } from './inspect-schema.ts';
import type { Schema } from './object-of.ts';

/** A fault of one field. `field` is empty when it concerns no single field. */
export interface FieldError {
  readonly field: string;
  readonly message: string;
}

/** A parsed value, or the faults that prevented it: at most one per field. */
export type Parsed<Value> =
  | { readonly isOk: true; readonly value: Value }
  | { readonly isOk: false; readonly errors: readonly FieldError[] };

/** Parses a JSON body with a schema. */
export function parseBody<Value>(schema: Schema<Value>, body: unknown): Parsed<Value> {
  const result = v.safeParse(schema, body);
  return result.success
    ? { isOk: true, value: result.output }
    : { isOk: false, errors: toFieldErrors(result.issues) };
}

/**
 * Parses a query with a schema of typed fields: integers and booleans are parsed from text (C-10), fields with a list
 * schema may be repeated, others may not (C-9). Unknown parameters are ignored (C-8).
 */
export function parseQuery<Value>(
  schema: Schema<Value>,
  query: Iterable<readonly [string, string]>,
): Parsed<Value> {
  const given = new Map<string, string[]>();
  for (const [name, value] of query) {
    const values = given.get(name);
    if (values) values.push(value);
    else given.set(name, [value]);
  }
  // Without a prototype, so that a parameter called __proto__ is treated like any other.
  const typed: Record<string, unknown> = Object.create(null);
  for (const [name, values] of given) {
    const field = inspectField(schema, name);
    if (field === null) continue;
    if (isRepeatable(field)) typed[name] = values;
    else if (values.length > 1)
      return { isOk: false, errors: [{ field: name, message: 'must be given once' }] };
    else typed[name] = readText(field.type, values[0] ?? '');
  }
  return parseBody(schema, typed);
}

/** Formats faults for an error body, such as `limit must be an integer between 1 and 5000`. */
export function errorText(errors: readonly FieldError[]): string {
  const first = errors[0];
  if (!first) return 'Validation failed';
  if (first.field !== '') return `${first.field} ${first.message}`;
  return first.message.startsWith('must ') ? `Request body ${first.message}` : first.message;
}

// An unreadable value stays text, so that the schema's message names the expected form.
function readText(type: string, value: string): unknown {
  if (type === 'number' && /^-?[0-9]+$/.test(value)) return Number(value);
  if (type === 'boolean' && /^(?:true|false)$/i.test(value)) return value.toLowerCase() === 'true';
  return value;
}

function toFieldErrors(issues: readonly v.BaseIssue<unknown>[]): readonly FieldError[] {
  const byField = new Map<string, FieldError>();
  for (const issue of issues) {
    const key = issue.path?.[0]?.key;
    const field = key === undefined ? '' : String(key);
    if (!byField.has(field)) byField.set(field, { field, message: issue.message });
  }
  return [...byField.values()];
}
