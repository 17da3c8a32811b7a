import { NatterError } from '../errors/natter-error.ts';
import { fieldNames } from '../schema/inspect-schema.ts';
import { NO_JSON_FORM, toJson } from '../schema/json-form.ts';
import { nearestName } from '../schema/nearest-name.ts';
import type { Schema } from '../schema/object-of.ts';
import { errorText, type FieldError, type Parsed, parseBody, parseQuery } from '../schema/parse.ts';
import { encodeQuery, type QueryPairs, type QueryValue } from './build-url.ts';
import type { IdempotentCall, ProjectCallOptions } from './call-options.ts';
import type { Family, Operation } from './operation.ts';
import { expectDone, readJson } from './read-answer.ts';
import type { Call, Transport } from './transport.ts';

/** Shared base of all resource clients. */
export interface ClientCore {
  readonly transport: Transport;
  readonly accountId: string | null;
  readonly projectId: string | null;
  readonly usesVendorNames: (family: Family) => boolean;
}

/** Arguments of an operation. The path's account and project come from the options or the client. */
export interface Arguments {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, QueryValue>>;
  readonly body?: unknown;
}

/** Sends a call and parses its response with `reader`. @throws NatterError */
export async function read<Value>(
  core: ClientCore,
  operation: Operation,
  reader: Schema<Value>,
  given: Arguments,
  options: ProjectCallOptions & IdempotentCall,
): Promise<Value> {
  return readJson(core.transport, prepareCall(core, operation, given, options), reader);
}

/** Sends a call whose response has no content. @throws NatterError */
export async function run(
  core: ClientCore,
  operation: Operation,
  given: Arguments,
  options: ProjectCallOptions & IdempotentCall,
): Promise<void> {
  return expectDone(core.transport, prepareCall(core, operation, given, options));
}

/**
 * Prepares a call after validating its arguments with the platform's schemas. @throws NatterError `INVALID_ARGUMENT`
 */
export function prepareCall(
  core: ClientCore,
  operation: Operation,
  { path, query, body }: Arguments,
  options: ProjectCallOptions & IdempotentCall,
): Call {
  const owners: Record<string, string> = {};
  for (const name of Object.keys(operation.pathParameters)) {
    if (name === 'account_id') owners[name] = accountIdOf(core, options);
    if (name === 'project_id' || name === 'agentId') owners[name] = projectIdOf(core, options);
  }
  return {
    operation,
    pathValues: { ...owners, ...path },
    ...(query && operation.query && { query: checkQuery(operation.query, query) }),
    ...(body !== undefined && operation.body && writeJson(checkBody(operation.body.schema, body))),
    options,
  };
}

/** Returns the account of a call. @throws NatterError `INVALID_ARGUMENT` when it is unknown. */
export function accountIdOf(core: ClientCore, options: ProjectCallOptions): string {
  return options.accountId ?? core.accountId ?? needed('accountId');
}

/** Returns the project of a call. @throws NatterError `INVALID_ARGUMENT` when it is unknown. */
export function projectIdOf(core: ClientCore, options: ProjectCallOptions): string {
  return options.projectId ?? core.projectId ?? needed('projectId');
}

/**
 * Serialises a body; `field` names it in the error.
 * @throws NatterError `INVALID_ARGUMENT` when it holds a cycle or a bigint
 */
export function writeJson(
  body: unknown,
  field = '',
): { readonly contentType: string; readonly payload: string } {
  const payload = toJson(body);
  if (payload === null) throw invalidArgument([{ field, message: NO_JSON_FORM }]);
  return { contentType: 'application/json', payload };
}

/** Validates a body with the platform's schema: known fields only. @throws NatterError `INVALID_ARGUMENT` */
export function checkBody<Value>(schema: Schema<Value>, body: unknown): Value {
  return demand(parseBody(schema, body));
}

/**
 * Validates query pairs with the platform's schema. The platform ignores unknown names (C-8), and so would list
 * everything for a misspelt filter; therefore they are refused here. So is an empty list as a filter, which would leave
 * no trace in the query.
 * @throws NatterError `INVALID_ARGUMENT`
 */
export function checkQuery(schema: Schema<unknown>, given: Readonly<Record<string, QueryValue>>): QueryPairs {
  const query = encodeQuery(given);
  const known = fieldNames(schema);
  const unknown = [...new Set(query.map(([name]) => name))].filter((name) => !known.includes(name));
  if (unknown.length > 0) throw invalidArgument(unknown.map((name) => unknownField(name, known)));
  const empty = Object.keys(given).filter((name) => Array.isArray(given[name]) && given[name].length === 0);
  if (empty.length > 0)
    throw invalidArgument(
      empty.map((field) => ({ field, message: 'must not be an empty list: leave it out for all' })),
    );
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
