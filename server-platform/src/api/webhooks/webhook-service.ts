import {
  parseBody,
  type WebhookEndpoint,
  type WebhookEndpointCreateBody,
  type WebhookEndpointsQuery,
  type WebhookEndpointUpdateBody,
  webhookEndpointBodySchemas,
  webhookEndpointIdSchema,
} from '@natter/sdk';
import type { SecretVault } from '../../accounts/tokens/index.ts';
import type { Database } from '../../db/index.ts';
import type { Clock } from '../../kit/clock.ts';
import { REST_ERRORS, RestError, refuseNulCharacters, validationError } from '../rest/index.ts';
import {
  addWebhookEndpoint,
  changeWebhookEndpoint,
  findWebhookEndpoint,
  listWebhookEndpoints,
  removeWebhookEndpoint,
  rotateWebhookSecret,
  writeWebhookEndpoint,
} from './webhook-endpoints.ts';

/** Dependencies of the webhook endpoints. */
export interface WebhookServiceOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly vault: SecretVault;
  readonly allowsPrivateAddresses: boolean;
}

/** An endpoint with its new secret, which is not shown again. */
export interface EndpointWithSecret {
  readonly endpoint: WebhookEndpoint;
  readonly secret: string;
}

/** The webhook endpoints of an account. Refuses with a `RestError`. Source: section 11. */
export interface WebhookService {
  list(accountId: string, query: WebhookEndpointsQuery): Promise<readonly WebhookEndpoint[]>;
  get(accountId: string, id: string): Promise<WebhookEndpoint>;
  create(accountId: string, body: WebhookEndpointCreateBody): Promise<EndpointWithSecret>;
  update(accountId: string, id: string, body: WebhookEndpointUpdateBody): Promise<WebhookEndpoint>;
  /** Deletes an endpoint with its deliveries. Resolves with the deleted endpoint. */
  delete(accountId: string, id: string): Promise<WebhookEndpoint>;
  /** Replaces the secret at once. Source: WE-3. */
  rotateSecret(accountId: string, id: string): Promise<EndpointWithSecret>;
}

const DEFAULT_TIMEOUT_MS = 5000;

/** Creates the service that the REST routes and the console call. */
export function createWebhookService(options: WebhookServiceOptions): WebhookService {
  const { database, clock, vault, allowsPrivateAddresses } = options;
  const { update: fieldsSchema } = webhookEndpointBodySchemas(allowsPrivateAddresses);
  const check = (body: WebhookEndpointUpdateBody): void => {
    refuseNulCharacters(body, ['name', 'url']);
    // The console's schemas are the same for every deployment, so they allow private hosts.
    const parsed = parseBody(fieldsSchema, body);
    if (!parsed.isOk) throw validationError(parsed.errors);
  };
  return {
    async list(accountId, { enabled: isEnabled, event_type: eventType }) {
      const endpoints = await listWebhookEndpoints(database, accountId, { isEnabled, eventType });
      return endpoints.map(writeWebhookEndpoint);
    },
    async get(accountId, id) {
      return writeWebhookEndpoint(need(await findWebhookEndpoint(database, accountId, checkId(id))));
    },
    async create(accountId, body) {
      check(body);
      const fields = {
        name: body.name,
        url: body.url,
        isEnabled: body.enabled ?? true,
        eventTypes: body.event_types,
        headers: body.headers ?? {},
        timeoutMs: body.timeout_ms ?? DEFAULT_TIMEOUT_MS,
      };
      const added = await database.tx((sql) =>
        addWebhookEndpoint(sql, vault, accountId, fields, clock.now()),
      );
      if (added === null)
        throw new RestError(409, 'RESOURCE_LIMIT_EXCEEDED', 'Maximum number of webhook endpoints reached');
      return { endpoint: writeWebhookEndpoint(added.endpoint), secret: added.secret };
    },
    async update(accountId, endpointId, body) {
      const id = checkId(endpointId);
      check(body);
      const changes = {
        name: body.name,
        url: body.url,
        isEnabled: body.enabled,
        eventTypes: body.event_types,
        headers: body.headers,
        timeoutMs: body.timeout_ms,
      };
      return writeWebhookEndpoint(
        need(await database.tx((sql) => changeWebhookEndpoint(sql, accountId, id, changes, clock.now()))),
      );
    },
    async delete(accountId, id) {
      return writeWebhookEndpoint(need(await removeWebhookEndpoint(database, accountId, checkId(id))));
    },
    async rotateSecret(accountId, id) {
      const rotated = need(await rotateWebhookSecret(database, vault, accountId, checkId(id), clock.now()));
      return { endpoint: writeWebhookEndpoint(rotated.endpoint), secret: rotated.secret };
    },
  };
}

function checkId(id: string): string {
  const parsed = parseBody(webhookEndpointIdSchema, id);
  if (parsed.isOk) return parsed.value;
  throw new RestError(422, 'SCHEMA_VALIDATION_FAILED', 'Malformed webhook endpoint id');
}

function need<Found>(found: Found | null): Found {
  if (found === null) throw REST_ERRORS.notFound();
  return found;
}
