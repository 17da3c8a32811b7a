import {
  parseBody,
  type WebhookEndpointCreateBody,
  type WebhookEndpointsQuery,
  type WebhookEndpointUpdateBody,
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
import type { SecretVault } from '../../accounts/tokens/index.ts';
import type { Database } from '../../db/index.ts';
import type { Clock } from '../../kit/clock.ts';
import {
  type AccountCall,
  accountRoute,
  REST_ERRORS,
  type RestAnswer,
  RestError,
  type RestRoute,
  refuseNulCharacters,
} from '../rest/index.ts';
import {
  addWebhookEndpoint,
  changeWebhookEndpoint,
  findWebhookEndpoint,
  listWebhookEndpoints,
  removeWebhookEndpoint,
  rotateWebhookSecret,
  writeWebhookEndpoint,
} from './webhook-endpoints.ts';

/** Dependencies of the routes. */
export interface WebhookRoutesOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly vault: SecretVault;
  readonly allowsPrivateAddresses: boolean;
}

const DEFAULT_TIMEOUT_MS = 5000;

/** Webhook endpoints. Source: section 11. */
export function createWebhookRoutes(options: WebhookRoutesOptions): readonly RestRoute[] {
  const bodies = webhookEndpointBodySchemas(options.allowsPrivateAddresses);
  const permissions = ['monitoring'] as const;
  return [
    accountRoute(
      { operation: webhookEndpointsListOperation, permissions, query: webhookEndpointsQuerySchema },
      (call) => handleList(options, call),
    ),
    accountRoute({ operation: webhookEndpointCreateOperation, permissions, body: bodies.create }, (call) =>
      handleCreate(options, call),
    ),
    accountRoute({ operation: webhookEndpointGetOperation, permissions }, (call) => handleGet(options, call)),
    accountRoute({ operation: webhookEndpointUpdateOperation, permissions, body: bodies.update }, (call) =>
      handleUpdate(options, call),
    ),
    accountRoute({ operation: webhookEndpointDeleteOperation, permissions }, (call) =>
      handleDelete(options, call),
    ),
    accountRoute({ operation: webhookSecretRotateOperation, permissions }, (call) =>
      handleSecretRotate(options, call),
    ),
  ];
}

async function handleList(
  { database }: WebhookRoutesOptions,
  { account, query }: AccountCall<undefined, WebhookEndpointsQuery>,
): Promise<RestAnswer> {
  const { enabled: isEnabled, event_type: eventType } = query;
  const endpoints = await listWebhookEndpoints(database, account.id, { isEnabled, eventType });
  return { data: endpoints.map(writeWebhookEndpoint) };
}

async function handleCreate(
  { database, clock, vault }: WebhookRoutesOptions,
  { account, body }: AccountCall<WebhookEndpointCreateBody>,
): Promise<RestAnswer> {
  refuseNulCharacters(body, ['name', 'url']);
  const fields = {
    name: body.name,
    url: body.url,
    isEnabled: body.enabled ?? true,
    eventTypes: body.event_types,
    headers: body.headers ?? {},
    timeoutMs: body.timeout_ms ?? DEFAULT_TIMEOUT_MS,
  };
  const added = await database.tx((sql) => addWebhookEndpoint(sql, vault, account.id, fields, clock.now()));
  if (added === null) throw tooManyEndpoints();
  return { ...writeWebhookEndpoint(added.endpoint), signing_secret: added.secret };
}

async function handleGet(
  { database }: WebhookRoutesOptions,
  { account, params }: AccountCall,
): Promise<RestAnswer> {
  const endpoint = await findWebhookEndpoint(database, account.id, readEndpointId(params));
  if (endpoint === null) throw REST_ERRORS.notFound();
  return writeWebhookEndpoint(endpoint);
}

async function handleUpdate(
  { database, clock }: WebhookRoutesOptions,
  { account, params, body }: AccountCall<WebhookEndpointUpdateBody>,
): Promise<RestAnswer> {
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
}

async function handleDelete(
  { database }: WebhookRoutesOptions,
  { account, params }: AccountCall,
): Promise<RestAnswer> {
  const isRemoved = await removeWebhookEndpoint(database, account.id, readEndpointId(params));
  if (!isRemoved) throw REST_ERRORS.notFound();
  return null;
}

async function handleSecretRotate(
  { database, clock, vault }: WebhookRoutesOptions,
  { account, params }: AccountCall,
): Promise<RestAnswer> {
  const id = readEndpointId(params);
  const secret = await rotateWebhookSecret(database, vault, account.id, id, clock.now());
  if (secret === null) throw REST_ERRORS.notFound();
  return { signing_secret: secret };
}

function readEndpointId(params: Readonly<Record<string, string>>): string {
  const parsed = parseBody(webhookEndpointIdSchema, params['endpoint_id']);
  if (parsed.isOk) return parsed.value;
  throw new RestError(422, 'SCHEMA_VALIDATION_FAILED', 'Malformed webhook endpoint id');
}

function tooManyEndpoints(): RestError {
  return new RestError(409, 'RESOURCE_LIMIT_EXCEEDED', 'Maximum number of webhook endpoints reached');
}
