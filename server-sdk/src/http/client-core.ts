import { NatterError } from '../errors/natter-error.ts';
import { fieldNames } from '../schema/inspect-schema.ts';
import { nearestName } from '../schema/nearest-name.ts';
import type { Schema } from '../schema/object-of.ts';
import { errorText, type FieldError, type Parsed, parseBody, parseQuery } from '../schema/parse.ts';
import type { QueryPairs } from './build-url.ts';
import type { ProjectCallOptions } from './call-options.ts';
import type { Family } from './operation.ts';
import type { Transport } from './transport.ts';

/** What every family's client stands on. */
export interface ClientCore {
  readonly transport: Transport;
  readonly accountId: string | null;
  readonly projectId: string | null;
  readonly usesVendorNames: (family: Family) => boolean;
}

/** The path values of a call inside a project. @throws NatterError `INVALID_ARGUMENT` when one is not known. */
export function projectPath(
  core: ClientCore,
  options: ProjectCallOptions,
): { readonly account_id: string; readonly project_id: string } {
  return { account_id: accountIdOf(core, options), project_id: projectIdOf(core, options) };
}

/** The account of a call. @throws NatterError `INVALID_ARGUMENT` when it is not known. */
export function accountIdOf(core: ClientCore, options: ProjectCallOptions): string {
  return options.accountId ?? core.accountId ?? needed('accountId');
}

/** The project of a call. @throws NatterError `INVALID_ARGUMENT` when it is not known. */
export function projectIdOf(core: ClientCore, options: ProjectCallOptions): string {
  return options.projectId ?? core.projectId ?? needed('projectId');
}

/** A body in the form that goes over the wire: checked with the platform's own schema, known fields only. */
export function writeBody<Value>(
  schema: Schema<Value>,
  body: unknown,
): { contentType: string; payload: string } {
  return { contentType: 'application/json', payload: JSON.stringify(checkBody(schema, body)) };
}

/** A body, checked with the platform's own schema. @throws NatterError `INVALID_ARGUMENT` */
export function checkBody<Value>(schema: Schema<Value>, body: unknown): Value {
  return demand(parseBody(schema, body));
}

/**
 * Query pairs, checked with the platform's own schema. The platform ignores names that it does not know (C-8), and so
 * would list everything to a caller who misspelt a filter: here they are refused.
 * @throws NatterError `INVALID_ARGUMENT`
 */
export function checkQuery<Value>(schema: Schema<Value>, query: QueryPairs): QueryPairs {
  const known = fieldNames(schema);
  const unknown = [...new Set(query.map(([name]) => name))].filter((name) => !known.includes(name));
  if (unknown.length > 0) throw invalidArgument(unknown.map((name) => unknownField(name, known)));
  demand(parseQuery(schema, query));
  return query;
}

function demand<Value>(parsed: Parsed<Value>): Value {
  if (parsed.isOk) return parsed.value;
  throw invalidArgument(parsed.errors);
}

function invalidArgument(fieldErrors: readonly FieldError[]): NatterError {
  return new NatterError({ code: 'INVALID_ARGUMENT', text: errorText(fieldErrors), fieldErrors });
}

function unknownField(field: string, known: readonly string[]): FieldError {
  const nearest = nearestName(field, known);
  const hint = nearest === null ? `; there are ${known.join(', ')}` : `; did you mean ${nearest}?`;
  return { field, message: `is not a parameter of this call${hint}` };
}

function needed(option: string): never {
  throw new NatterError({
    code: 'INVALID_ARGUMENT',
    text: `${option} is required`,
    advice: `Pass ${option} to createNatter or with the call.`,
    fieldErrors: [{ field: option, message: 'is required' }],
  });
}
