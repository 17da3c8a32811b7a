import {
  parseBody,
  webhookEndpointBodySchemas,
  webhookEndpointCreateOperation,
  webhookEndpointDeleteOperation,
  webhookEndpointGetOperation,
  webhookEndpointIdSchema,
  webhookEndpointsListOperation,
  webhookEndpointsQuerySchema,
  webhookEndpointUpdateOperation,
  webhookSecretRotateOperation,
} from '@natter/sdk';
import type { SecretVault } from '../auth/index.ts';
import type { Clock } from '../clock.ts';
import type { Database } from '../db/index.ts';
import { accountRoute, REST_ERRORS, RestError, type RestRoute, refuseNulCharacters } from '../rest/index.ts';
import {
  addWebhookEndpoint,
  changeWebhookEndpoint,
  findWebhookEndpoint,
  listWebhookEndpoints,
  removeWebhookEndpoint,
  rotateWebhookSecret,
  writeWebhookEndpoint,
} from './webhook-endpoints.ts';

/** What the routes work with. */
export interface WebhookRoutesOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly vault: SecretVault;
  readonly allowsPrivateAddresses: boolean;
}

const DEFAULT_TIMEOUT_MS = 5000;

/** Webhook endpoints. Source: section 11. */
export function createWebhookRoutes(options: WebhookRoutesOptions): readonly RestRoute[] {
  const { database, clock, vault } = options;
  const bodies = webhookEndpointBodySchemas(options.allowsPrivateAddresses);
  const permissions = ['monitoring'] as const;
  return [
    accountRoute(
      { operation: webhookEndpointsListOperation, permissions, query: webhookEndpointsQuerySchema },
      async ({ account, query: { enabled: isEnabled, event_type: eventType } }) => {
        const endpoints = await listWebhookEndpoints(database, account.id, { isEnabled, eventType });
        return { data: endpoints.map(writeWebhookEndpoint) };
      },
    ),
    accountRoute(
      { operation: webhookEndpointCreateOperation, permissions, body: bodies.create },
      async ({ account, body }) => {
        refuseNulCharacters(body, ['name', 'url']);
        const fields = {
          name: body.name,
          url: body.url,
          isEnabled: body.enabled ?? true,
          eventTypes: body.event_types,
          headers: body.headers ?? {},
          timeoutMs: body.timeout_ms ?? DEFAULT_TIMEOUT_MS,
        };
        const added = await database.tx((sql) =>
          addWebhookEndpoint(sql, vault, account.id, fields, clock.now()),
        );
        if (added === null) throw tooManyEndpoints();
        return { ...writeWebhookEndpoint(added.endpoint), signing_secret: added.secret };
      },
    ),
    accountRoute({ operation: webhookEndpointGetOperation, permissions }, async ({ account, params }) => {
      const endpoint = await findWebhookEndpoint(database, account.id, readEndpointId(params));
      if (endpoint === null) throw REST_ERRORS.notFound();
      return writeWebhookEndpoint(endpoint);
    }),
    accountRoute(
      { operation: webhookEndpointUpdateOperation, permissions, body: bodies.update },
      async ({ account, params, body }) => {
        const id = readEndpointId(params);
        refuseNulCharacters(body, ['name', 'url']);
        const changes = {
          name: body.name,
          url: body.url,
          isEnabled: body.enabled,
          eventTypes: body.event_types,
          headers: body.headers,
          timeoutMs: body.timeout_ms,
        };
        const endpoint = await database.tx((sql) =>
          changeWebhookEndpoint(sql, account.id, id, changes, clock.now()),
        );
        if (endpoint === null) throw REST_ERRORS.notFound();
        return writeWebhookEndpoint(endpoint);
      },
    ),
    accountRoute({ operation: webhookEndpointDeleteOperation, permissions }, async ({ account, params }) => {
      const isRemoved = await removeWebhookEndpoint(database, account.id, readEndpointId(params));
      if (!isRemoved) throw REST_ERRORS.notFound();
      return null;
    }),
    accountRoute({ operation: webhookSecretRotateOperation, permissions }, async ({ account, params }) => {
      const id = readEndpointId(params);
      const secret = await rotateWebhookSecret(database, vault, account.id, id, clock.now());
      if (secret === null) throw REST_ERRORS.notFound();
      return { signing_secret: secret };
    }),
  ];
}

function readEndpointId(params: Readonly<Record<string, string>>): string {
  const parsed = parseBody(webhookEndpointIdSchema, params['endpoint_id']);
  if (parsed.isOk) return parsed.value;
  throw new RestError(422, 'SCHEMA_VALIDATION_FAILED', 'Malformed webhook endpoint id');
}

function tooManyEndpoints(): RestError {
  return new RestError(409, 'RESOURCE_LIMIT_EXCEEDED', 'Maximum number of webhook endpoints reached');
}
