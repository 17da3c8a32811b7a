import type { CallOptions } from '../http/call-options.ts';
import { type ClientCore, checkQuery, writeBody } from '../http/client-core.ts';
import { encodeQuery } from '../http/encode-query.ts';
import { expectDone, readJson } from '../http/read-answer.ts';
import { dataListOf } from '../schema/data-list.ts';
import {
  type CreatedWebhookEndpoint,
  createdWebhookEndpointReader,
  type SigningSecret,
  signingSecretSchema,
  type WebhookEndpoint,
  type WebhookEndpointCreateBody,
  type WebhookEndpointsQuery,
  type WebhookEndpointUpdateBody,
  webhookEndpointBodySchemas,
  webhookEndpointReader,
  webhookEndpointsQuerySchema,
} from './webhook-endpoint-schemas.ts';
import {
  webhookEndpointCreateOperation,
  webhookEndpointDeleteOperation,
  webhookEndpointGetOperation,
  webhookEndpointsListOperation,
  webhookEndpointUpdateOperation,
  webhookSecretRotateOperation,
} from './webhook-endpoints-operations.ts';

/** Where events are delivered. Needs `monitorApiKey`. Source: section 11. */
export interface WebhookEndpointsClient {
  readonly list: (
    query?: WebhookEndpointsQuery,
    options?: CallOptions,
  ) => Promise<readonly WebhookEndpoint[]>;
  /** Creates an endpoint. Keep `signing_secret`: it is shown this once. The eleventh is refused with 409 (WE-1). */
  readonly create: (
    body: WebhookEndpointCreateBody,
    options?: CallOptions,
  ) => Promise<CreatedWebhookEndpoint>;
  readonly get: (endpointId: string, options?: CallOptions) => Promise<WebhookEndpoint>;
  readonly update: (
    endpointId: string,
    body: WebhookEndpointUpdateBody,
    options?: CallOptions,
  ) => Promise<WebhookEndpoint>;
  readonly delete: (endpointId: string, options?: CallOptions) => Promise<void>;
  /** Replaces the secret; the old one is invalid at once (WE-3). */
  readonly rotateSecret: (endpointId: string, options?: CallOptions) => Promise<SigningSecret>;
}

const listReader = dataListOf('WebhookEndpointList', webhookEndpointReader);
// Whether a private host is allowed is for the deployment to say.
const bodies = webhookEndpointBodySchemas(true);

/** The webhook endpoints family's part of the client. */
export function createWebhookEndpointsClient(core: ClientCore): WebhookEndpointsClient {
  const { transport } = core;
  const byId = (endpointId: string): { readonly pathValues: Readonly<Record<string, string>> } => ({
    pathValues: { endpoint_id: endpointId },
  });
  return {
    list: async (query = {}, options = {}) => {
      const pairs = checkQuery(webhookEndpointsQuerySchema, encodeQuery({ ...query }));
      const call = { operation: webhookEndpointsListOperation, pathValues: {}, query: pairs, options };
      return (await readJson(transport, call, listReader)).data;
    },
    create: async (body, options = {}) => {
      const written = writeBody(bodies.create, body);
      const call = { operation: webhookEndpointCreateOperation, pathValues: {}, ...written, options };
      return readJson(transport, call, createdWebhookEndpointReader);
    },
    get: async (endpointId, options = {}) =>
      readJson(
        transport,
        { operation: webhookEndpointGetOperation, ...byId(endpointId), options },
        webhookEndpointReader,
      ),
    update: async (endpointId, body, options = {}) => {
      const written = writeBody(bodies.update, body);
      const call = { operation: webhookEndpointUpdateOperation, ...byId(endpointId), ...written, options };
      return readJson(transport, call, webhookEndpointReader);
    },
    delete: async (endpointId, options = {}) =>
      expectDone(transport, { operation: webhookEndpointDeleteOperation, ...byId(endpointId), options }),
    rotateSecret: async (endpointId, options = {}) =>
      readJson(
        transport,
        { operation: webhookSecretRotateOperation, ...byId(endpointId), options },
        signingSecretSchema,
      ),
  };
}
