import {
  type Family,
  type Operation,
  operations,
  type Service,
  usesVendorNames,
  VENDOR_FIELDS,
  type VendorNames,
  webhookEventSchema,
} from '@natter/sdk';
import { credentialHeaders, describeOperation } from './describe-operation.ts';
import { describeSetup } from './describe-setup.ts';
import { EXAMPLES, type OperationExample, WEBHOOK_EXAMPLE } from './examples.ts';
import type { OpenApiDocument, OpenApiPathItem, OpenApiSecurityScheme } from './openapi-document.ts';
import { createSchemaWriter, type JsonSchema } from './schema-writer.ts';

/** An operation with its example. */
export interface DescribedOperation {
  readonly operation: Operation;
  readonly example: OperationExample;
}

/** Values of the document that are not in the contract. */
export interface OpenApiOptions {
  /** Version of the platform. */
  readonly version: string;
  /** Base URLs, for the `servers` of each path. */
  readonly servers: Readonly<Record<Service, string>>;
  readonly title?: string;
  /** Which route groups use vendor names. */
  readonly vendorNames?: VendorNames;
  /** Operations that the SDK does not call. */
  readonly more?: readonly DescribedOperation[];
}

/** Heading of each group of operations, and its purpose. */
const TAGS: Readonly<Record<Family | 'setup', readonly [heading: string, description: string]>> = {
  setup: ['Before the socket', 'Calls of a client before it opens the socket.'],
  chat: ['Chat', 'Conversations over REST.'],
  conversations: ['Conversations', 'Conversations on record.'],
  concurrency: ['Concurrency', 'Number of concurrent conversations.'],
  externalEvents: ['External events', 'Events from elsewhere that a conversation waits for.'],
  numbers: ['Number reservation', 'Numbers that are reserved for one call.'],
  voice: ['Voice preview', 'Previews of voices.'],
  alertRules: ['Alert rules', 'Rules that watch the conversations.'],
  alerts: ['Alerts', 'Rules that are firing.'],
  webhookEndpoints: ['Webhook endpoints', 'Where alerts are delivered.'],
  handoff: ['Hand-off', 'Data stored at a hand-off, and events of a desk.'],
  erasure: ['Erasure', 'Erasure of what people wrote.'],
};

/** Builds the OpenAPI 3.1 document of all HTTP operations from the schemas that validate them. */
export function buildOpenApi(options: OpenApiOptions): OpenApiDocument {
  const { version, servers, title = 'Natter', vendorNames = false, more = [] } = options;
  const writer = createSchemaWriter();
  const paths = new Map<string, OpenApiPathItem>(Object.entries(describeSetup(writer)));
  const schemes = new Map<string, OpenApiSecurityScheme>([
    ['accessToken', { type: 'http', scheme: 'bearer' }],
  ]);
  const ofSdk = operations.map((operation) => ({ operation, example: EXAMPLES[operation.id] ?? {} }));
  for (const { operation, example } of [...ofSdk, ...more]) {
    const { path, method, service, family } = operation;
    const item = paths.get(path) ?? { servers: [{ url: servers[service] }] };
    const isVendor = usesVendorNames(vendorNames, family);
    paths.set(path, {
      ...item,
      [method.toLowerCase()]: describeOperation(operation, example, writer, isVendor),
    });
    for (const name of credentialHeaders(operation))
      schemes.set(name, { type: 'apiKey', in: 'header', name });
  }
  const event = writer.write(webhookEventSchema);
  const schemas = Object.fromEntries(
    [...writer.components].sort(([left], [right]) => (left < right ? -1 : 1)),
  );
  return {
    openapi: '3.1.0',
    info: { title, version },
    tags: Object.entries(TAGS).map(([name, [heading, description]]) => ({
      name,
      description,
      'x-displayName': heading,
    })),
    paths: Object.fromEntries(paths),
    webhooks: {
      alert: {
        post: {
          operationId: 'webhookDelivery',
          summary: 'A rule began or stopped firing.',
          tags: ['webhookEndpoints'],
          requestBody: {
            required: true,
            content: { 'application/json': { schema: event, example: WEBHOOK_EXAMPLE } },
          },
          responses: { '2XX': { description: 'Taken. Anything else may lead to another attempt.' } },
        },
      },
    },
    components: {
      schemas: usesVendorNames(vendorNames, 'conversations') ? renameComponents(schemas) : schemas,
      securitySchemes: Object.fromEntries(schemes),
    },
  };
}

function renameComponents(schemas: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> {
  const renamed: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    Conversation: VENDOR_FIELDS.conversation,
    LegacyConversation: VENDOR_FIELDS.conversation,
    ConversationDetail: VENDOR_FIELDS.conversationDetail,
  };
  return Object.fromEntries(
    Object.entries(schemas).map(([component, schema]) => {
      const { properties = {}, required, ...rest } = schema;
      const names = renamed[component];
      if (names === undefined) return [component, schema];
      const fields = Object.entries(properties).map(([key, field]) => [names[key] ?? key, field]);
      return [
        component,
        {
          ...rest,
          properties: Object.fromEntries(fields),
          ...(required !== undefined && { required: required.map((key) => names[key] ?? key) }),
        },
      ];
    }),
  );
}
