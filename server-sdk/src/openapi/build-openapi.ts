import {
  errorEnvelopeSchema,
  monitoringErrorSchema,
  reservationErrorSchema,
} from '../errors/error-envelopes.ts';
import type { ErrorShape, Operation, Service } from '../http/operation.ts';
import { baseOf, fieldsOf, isOptionalField } from '../schema/inspect-schema.ts';
import type { Schema } from '../schema/object-of.ts';
import {
  CORRELATION_HEADERS,
  usesVendorNames,
  VENDOR_FIELDS,
  type VendorNames,
} from '../schema/vendor-names.ts';
import { webhookEventSchema } from '../webhook-delivery/webhook-event.ts';
import type { JsonSchema } from './json-schema.ts';
import type {
  OpenApiDocument,
  OpenApiOperation,
  OpenApiParameter,
  OpenApiPathItem,
  OpenApiResponse,
} from './openapi-document.ts';
import { operations } from './operations.ts';
import { type Components, toJsonSchema } from './to-json-schema.ts';

/** What the document says besides the contract. */
export interface OpenApiOptions {
  /** Version of the platform. */
  readonly version: string;
  /** Base URLs, for the `servers` of each path. */
  readonly servers: Readonly<Record<Service, string>>;
  readonly title?: string;
  /** Which families write vendor names. */
  readonly vendorNames?: VendorNames;
}

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
  409: 'A limit is reached.',
  410: 'The conversation has ended.',
  422: 'The request cannot be applied.',
  429: 'Too many requests; see `Retry-After`.',
  500: 'The platform failed.',
  501: 'Not implemented.',
  502: 'A backend failed; nothing was stored.',
};

/** Builds the OpenAPI 3.1 document of all families from the schemas that validate them. */
export function buildOpenApi(options: OpenApiOptions): OpenApiDocument {
  const { version, servers, title = 'Natter', vendorNames = false } = options;
  const components: Components = new Map();
  const paths = new Map<string, OpenApiPathItem>();
  const schemes = new Map<string, { type: 'apiKey'; in: 'header'; name: string }>();
  for (const operation of operations) {
    const item = paths.get(operation.path) ?? { servers: [{ url: servers[operation.service] }] };
    const method = operation.method.toLowerCase();
    paths.set(operation.path, {
      ...item,
      [method]: writeOperation(operation, components, usesVendorNames(vendorNames, operation.family)),
    });
    for (const name of credentialHeaders(operation))
      schemes.set(name, { type: 'apiKey', in: 'header', name });
  }
  const event = toJsonSchema(webhookEventSchema, components);
  if (usesVendorNames(vendorNames, 'conversations')) renameComponents(components);
  return {
    openapi: '3.1.0',
    info: { title, version },
    paths: Object.fromEntries(paths),
    webhooks: {
      alert: {
        post: {
          operationId: 'webhookDelivery',
          summary: 'A rule began or stopped firing.',
          requestBody: { required: true, content: { 'application/json': { schema: event } } },
          responses: { '2XX': { description: 'Taken. Anything else may lead to another attempt.' } },
        },
      },
    },
    components: {
      schemas: Object.fromEntries([...components].sort(([left], [right]) => (left < right ? -1 : 1))),
      securitySchemes: Object.fromEntries(schemes),
    },
  };
}

function writeOperation(operation: Operation, components: Components, isVendor: boolean): OpenApiOperation {
  const { body, success } = operation;
  const correlationHeader = writeCorrelationHeader(isVendor);
  const error = toJsonSchema(ERROR_SCHEMAS[operation.errorShape], components);
  const refusals = [...operation.errors, 429].map((status): [string, OpenApiResponse] => [
    String(status),
    {
      description: STATUS_TEXTS[status] ?? 'Refused.',
      headers: correlationHeader,
      content: { 'application/json': { schema: error } },
    },
  ]);
  return {
    operationId: operation.id,
    summary: operation.summary,
    tags: [operation.family],
    // Both at once, where there are two.
    security: [Object.fromEntries(credentialHeaders(operation).map((name) => [name, []]))],
    parameters: [...pathParameters(operation, components), ...queryParameters(operation, components)],
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: body.isRequired,
            content: Object.fromEntries([
              ['application/json', { schema: toJsonSchema(body.schema, components) }],
              ...Object.entries(body.otherTypes ?? {}).map(([type, schema]) => [
                type,
                { schema: toJsonSchema(schema, components) },
              ]),
            ]),
          },
        }),
    responses: {
      [String(success.status)]: {
        description: success.description,
        headers: correlationHeader,
        ...(success.schema === undefined
          ? {}
          : { content: { 'application/json': { schema: toJsonSchema(success.schema, components) } } }),
      },
      ...Object.fromEntries(refusals),
    },
  };
}

function writeCorrelationHeader(isVendor: boolean): NonNullable<OpenApiResponse['headers']> {
  const schema: JsonSchema = { type: 'string' };
  const name = CORRELATION_HEADERS[isVendor ? 'vendor' : 'neutral'];
  return { [name]: { description: "Names the request in the platform's logs.", schema } };
}

function renameComponents(components: Components): void {
  const renamed = {
    Conversation: VENDOR_FIELDS.conversation,
    LegacyConversation: VENDOR_FIELDS.conversation,
    ConversationDetail: VENDOR_FIELDS.conversationDetail,
  };
  for (const [component, names] of Object.entries(renamed)) {
    const { properties = {}, required, ...rest } = components.get(component) ?? {};
    const entries = Object.entries(properties).map(([key, schema]) => [names[key] ?? key, schema] as const);
    components.set(component, {
      ...rest,
      properties: Object.fromEntries(entries),
      ...(required === undefined ? {} : { required: required.map((key) => names[key] ?? key) }),
    });
  }
}

function credentialHeaders({ keyHeader, needsConnectorToken }: Operation): readonly string[] {
  return needsConnectorToken ? [keyHeader, 'X-TOKEN'] : [keyHeader];
}

function pathParameters({ pathParameters: schemas }: Operation, components: Components): OpenApiParameter[] {
  return Object.entries(schemas).map(([name, schema]) => ({
    name,
    in: 'path',
    required: true,
    ...liftDescription(toJsonSchema(schema, components)),
  }));
}

function queryParameters({ query }: Operation, components: Components): OpenApiParameter[] {
  return Object.entries(fieldsOf(query) ?? {}).flatMap(([name, field]) => {
    if (isRefused(field)) return [];
    return [
      {
        name,
        in: 'query' as const,
        required: !isOptionalField(field),
        ...liftDescription(toJsonSchema(field, components)),
      },
    ];
  });
}

// A parameter that this version lacks is in the schema only to be refused with a message of its own.
function isRefused(field: unknown): boolean {
  return baseOf(field)?.type === 'never';
}

function liftDescription({ description, ...schema }: JsonSchema): {
  description?: string;
  schema: JsonSchema;
} {
  return description === undefined ? { schema } : { description, schema };
}
