import type { Operation } from '../http/operation.ts';
import { dataListOf } from '../schema/data-list.ts';
import {
  createdWebhookEndpointSchema,
  signingSecretSchema,
  webhookEndpointBodySchemas,
  webhookEndpointIdSchema,
  webhookEndpointSchema,
  webhookEndpointsQuerySchema,
} from './webhook-endpoint-schemas.ts';

const shared = {
  family: 'webhookEndpoints',
  service: 'monitoring',
  keyHeader: 'x-api-key',
  needsConnectorToken: false,
  repeatability: 'always',
  errorShape: 'M',
} as const;
const one = {
  path: '/v1/webhook-endpoints/{endpoint_id}',
  pathParameters: { endpoint_id: webhookEndpointIdSchema },
};
const all = { path: '/v1/webhook-endpoints', pathParameters: {} };
// Whether a private host is allowed is for the deployment to say.
const bodies = webhookEndpointBodySchemas(true);

/** `GET /v1/webhook-endpoints`. Source: section 11. */
export const webhookEndpointsListOperation: Operation = {
  ...shared,
  ...all,
  id: 'webhookEndpointsList',
  method: 'GET',
  summary: 'All endpoints.',
  query: webhookEndpointsQuerySchema,
  success: {
    status: 200,
    description: 'The endpoints.',
    schema: dataListOf('WebhookEndpointList', webhookEndpointSchema),
  },
  errors: [400, 401, 403, 500],
};

/** `POST /v1/webhook-endpoints`. Source: section 11. */
export const webhookEndpointCreateOperation: Operation = {
  ...shared,
  ...all,
  id: 'webhookEndpointCreate',
  method: 'POST',
  summary: 'Create an endpoint; at most 10 per account.',
  repeatability: 'when-refused',
  body: { isRequired: true, schema: bodies.create },
  success: { status: 201, description: 'The endpoint and its secret.', schema: createdWebhookEndpointSchema },
  errors: [400, 401, 403, 409, 422, 500],
};

/** `GET /v1/webhook-endpoints/{endpoint_id}`. Source: section 11. */
export const webhookEndpointGetOperation: Operation = {
  ...shared,
  ...one,
  id: 'webhookEndpointGet',
  method: 'GET',
  summary: 'One endpoint.',
  success: { status: 200, description: 'The endpoint.', schema: webhookEndpointSchema },
  errors: [401, 403, 404, 422, 500],
};

/** `PATCH /v1/webhook-endpoints/{endpoint_id}`. Source: section 11. */
export const webhookEndpointUpdateOperation: Operation = {
  ...shared,
  ...one,
  id: 'webhookEndpointUpdate',
  method: 'PATCH',
  summary: 'Change an endpoint.',
  body: { isRequired: true, schema: bodies.update },
  success: { status: 200, description: 'The endpoint.', schema: webhookEndpointSchema },
  errors: [400, 401, 403, 404, 422, 500],
};

/** `DELETE /v1/webhook-endpoints/{endpoint_id}`. Source: section 11. */
export const webhookEndpointDeleteOperation: Operation = {
  ...shared,
  ...one,
  id: 'webhookEndpointDelete',
  method: 'DELETE',
  summary: 'Delete an endpoint.',
  success: { status: 204, description: 'The endpoint is gone.' },
  errors: [401, 403, 404, 422, 500],
};

/** `POST …/rotate-secret`: each call makes another secret, so it is not repeated. Source: WE-3. */
export const webhookSecretRotateOperation: Operation = {
  ...shared,
  id: 'webhookSecretRotate',
  method: 'POST',
  path: '/v1/webhook-endpoints/{endpoint_id}/rotate-secret',
  summary: 'Replace the secret; the old one is invalid at once.',
  repeatability: 'when-refused',
  pathParameters: one.pathParameters,
  success: { status: 200, description: 'The new secret.', schema: signingSecretSchema },
  errors: [401, 403, 404, 422, 500],
};
