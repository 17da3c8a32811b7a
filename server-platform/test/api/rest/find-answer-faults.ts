import {
  errorEnvelopeSchema,
  monitoringErrorSchema,
  type Operation,
  operations,
  parseBody,
  reservationErrorSchema,
  type Schema,
} from '@natter/sdk';
import { errorCodesOf } from '../../../src/api/openapi/error-codes.ts';

/** An answer with its body as text. */
export interface ObservedAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const ERROR_SCHEMAS: Readonly<Record<Operation['errorShape'], Schema<unknown>>> = {
  E: errorEnvelopeSchema,
  D: reservationErrorSchema,
  M: monitoringErrorSchema,
};

// Every operation may answer these, even if its list omits them (1.3).
const GENERAL = [405, 413, 429];

/** The operation that a request is of; null for a path that is no family's. */
export function findOperation(method: string, path: string): Operation | null {
  const [bare = ''] = path.split('?');
  return (
    operations.find((operation) => {
      const pattern = operation.path.replaceAll(/\{\w+\}/g, '[^/]+');
      return operation.method === method && new RegExp(`^${pattern}$`).test(bare);
    }) ?? null
  );
}

/** In what an answer differs from what its operation promises: status, content type, body, correlation id. */
export function findAnswerFaults(operation: Operation, answer: ObservedAnswer): readonly string[] {
  const { status, headers, text } = answer;
  const isSuccess = status === operation.success.status;
  const faults: string[] = [];
  if (!isSuccess && !operation.errors.includes(status) && !GENERAL.includes(status))
    faults.push(`status ${status} is not one of its own`);
  if (!headers.has('x-correlation-id') && !headers.has('x-polyai-correlation-id'))
    faults.push('no correlation id');
  const schema = isSuccess ? operation.success.schema : ERROR_SCHEMAS[operation.errorShape];
  if (schema === undefined) return text === '' ? faults : [...faults, 'a body where there is none'];
  if (headers.get('content-type') !== 'application/json; charset=utf-8')
    faults.push(`content type ${headers.get('content-type')}`);
  const body = readJson(text);
  if (!isSuccess && operation.errorShape !== 'D') faults.push(...findCodeFaults(operation, status, body));
  const parsed = parseBody(schema, body);
  if (parsed.isOk) return faults;
  return [...faults, ...parsed.errors.map(({ field, message }) => `body: ${field} ${message}`)];
}

/** A refusal whose code is not among those that `/openapi.json` names for it. */
function findCodeFaults(operation: Operation, status: number, body: unknown): readonly string[] {
  const code =
    typeof body === 'object' && body !== null && 'error_code' in body ? body.error_code : undefined;
  const known: readonly unknown[] = errorCodesOf(operation, status);
  return known.includes(code) ? [] : [`code ${String(code)} of status ${status} is not in the documents`];
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
