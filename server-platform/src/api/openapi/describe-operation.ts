import {
  CORRELATION_HEADERS,
  type ErrorShape,
  errorEnvelopeSchema,
  monitoringErrorSchema,
  type Operation,
  PLATFORM_ERROR_CODES,
  reservationErrorSchema,
  type Schema,
} from '@natter/sdk';
import * as v from 'valibot';
import { errorCodesOf } from './error-codes.ts';
import type { OperationExample } from './examples.ts';
import type {
  OpenApiContent,
  OpenApiOperation,
  OpenApiParameter,
  OpenApiResponse,
} from './openapi-document.ts';
import type { JsonSchema, SchemaWriter } from './schema-writer.ts';

const ERROR_SCHEMAS: Readonly<Record<ErrorShape, Schema<unknown>>> = {
  E: errorEnvelopeSchema,
  D: reservationErrorSchema,
  M: monitoringErrorSchema,
};

const STATUS_TEXTS: Readonly<Record<number, string>> = {
  400: 'The request is not valid.',
  401: 'The key is missing, unknown, expired or of the other service.',
  403: 'The key does not cover this.',
  404: 'There is no such thing.',
  409: 'The present state does not allow it.',
  410: 'The conversation has ended.',
  413: 'The body is too large.',
  415: 'The `Content-Encoding` of the body is unknown.',
  422: 'The request cannot be applied.',
  429: 'Too many requests; see `Retry-After`.',
  500: 'The platform failed.',
  501: 'Not implemented.',
  502: 'A backend failed; nothing was stored.',
};

/** Describes an operation of a REST family: parameters, bodies, responses, error codes, examples. */
export function describeOperation(
  operation: Operation,
  example: OperationExample,
  writer: SchemaWriter,
  isVendor: boolean,
): OpenApiOperation {
  const { body, success, id } = operation;
  const headers = describeCorrelationHeader(isVendor);
  return {
    operationId: id,
    summary: operation.summary,
    tags: [operation.family],
    // Both at once if there are two.
    security: [Object.fromEntries(credentialHeaders(operation).map((name) => [name, []]))],
    parameters: [
      ...pathParameters(operation, writer, example),
      ...queryParameters(operation, writer, example),
      ...(operation.takesIdempotencyKey === true ? [describeIdempotencyKey(writer)] : []),
    ],
    ...(body !== undefined && {
      requestBody: {
        required: body.isRequired,
        content: describeBody({ 'application/json': body.schema, ...body.otherTypes }, writer, example),
      },
    }),
    responses: {
      [String(success.status)]: {
        description: success.description,
        headers,
        ...(success.schema !== undefined && {
          content: {
            'application/json': {
              schema: writer.write(success.schema),
              ...('answer' in example && { example: example.answer }),
            },
          },
        }),
      },
      ...Object.fromEntries(
        [...operation.errors, ...(body === undefined ? [] : [413, 415]), 429].map((status) => [
          String(status),
          { headers, ...describeRefusal(operation, status, writer) },
        ]),
      ),
    },
  };
}

/** Header names of an operation's credentials. */
export function credentialHeaders({ keyHeader, needsConnectorToken }: Operation): readonly string[] {
  return needsConnectorToken ? [keyHeader, 'X-TOKEN'] : [keyHeader];
}

/** The error body with its possible codes; body D has no code. */
function describeRefusal(operation: Operation, status: number, writer: SchemaWriter): OpenApiResponse {
  const text = STATUS_TEXTS[status] ?? 'Refused.';
  const body = writer.write(ERROR_SCHEMAS[operation.errorShape]);
  if (operation.errorShape === 'D')
    return { description: text, content: { 'application/json': { schema: body } } };
  const codes = errorCodesOf(operation, status);
  const lines = codes.map((code) => `- \`${code}\`: ${PLATFORM_ERROR_CODES[code].advice}`);
  return {
    description: [text, '', ...lines].join('\n'),
    content: {
      'application/json': { schema: { allOf: [body, { properties: { error_code: { enum: codes } } }] } },
    },
  };
}

function describeCorrelationHeader(isVendor: boolean): NonNullable<OpenApiResponse['headers']> {
  const name = CORRELATION_HEADERS[isVendor ? 'vendor' : 'neutral'];
  return { [name]: { description: "Names the request in the platform's logs.", schema: { type: 'string' } } };
}

function describeBody(
  schemas: Readonly<Record<string, Schema<unknown>>>,
  writer: SchemaWriter,
  { body, otherBodies = {} }: OperationExample,
): OpenApiContent {
  return Object.fromEntries(
    Object.entries(schemas).map(([type, schema]) => {
      const example = type === 'application/json' ? body : otherBodies[type];
      return [type, { schema: writer.write(schema), ...(example !== undefined && { example }) }];
    }),
  );
}

function pathParameters(
  { pathParameters: schemas }: Operation,
  writer: SchemaWriter,
  { path = {} }: OperationExample,
): OpenApiParameter[] {
  return Object.entries(schemas).map(([name, schema]) => ({
    name,
    in: 'path',
    required: true,
    ...liftDescription(writer.write(schema)),
    example: path[name],
  }));
}

function queryParameters(
  { query }: Operation,
  writer: SchemaWriter,
  { query: values = {} }: OperationExample,
): OpenApiParameter[] {
  if (query === undefined) return [];
  const { properties = {}, required = [] } = writer.writeInline(query);
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...liftDescription(schema),
    ...(name in values && { example: values[name] }),
  }));
}

function describeIdempotencyKey(writer: SchemaWriter): OpenApiParameter {
  const described = liftDescription(writer.write(idempotencyKey));
  return { name: 'Idempotency-Key', in: 'header', required: false, ...described };
}

const idempotencyKey = v.pipe(
  v.string(),
  v.regex(/^[!-~]{1,255}$/),
  v.description(
    'Carries the call out once within 24 hours: repeated with the same key and body, it is answered as the first one was, with `Idempotent-Replayed: true`. A new key for each call, such as a UUID.',
  ),
);

/** Moves a schema's description to its parameter. */
export function liftDescription({ description, ...schema }: JsonSchema): {
  description?: string;
  schema: JsonSchema;
} {
  return description === undefined ? { schema } : { description, schema };
}
