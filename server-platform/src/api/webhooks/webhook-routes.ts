import {
  webhookEndpointBodySchemas,
  webhookEndpointCreateOperation,
  webhookEndpointDeleteOperation,
  webhookEndpointGetOperation,
  webhookEndpointsListOperation,
  webhookEndpointsQuerySchema,
  webhookEndpointUpdateOperation,
  webhookSecretRotateOperation,
} from '@natter/sdk';
import { type AccountCall, accountRoute, type RestRoute } from '../rest/index.ts';
import type { WebhookService } from './webhook-service.ts';

const idOf = ({ params }: Pick<AccountCall, 'params'>): string => params['endpoint_id'] ?? '';

/** Webhook endpoints. Source: section 11. */
export function createWebhookRoutes(
  endpoints: WebhookService,
  { allowsPrivateAddresses }: { readonly allowsPrivateAddresses: boolean },
): readonly RestRoute[] {
  const bodies = webhookEndpointBodySchemas(allowsPrivateAddresses);
  const permissions = ['monitoring'] as const;
  return [
    accountRoute(
      { operation: webhookEndpointsListOperation, permissions, query: webhookEndpointsQuerySchema },
      async ({ account, query }) => ({ data: await endpoints.list(account.id, query) }),
    ),
    accountRoute(
      { operation: webhookEndpointCreateOperation, permissions, body: bodies.create },
      async ({ account, body }) => {
        const { endpoint, secret } = await endpoints.create(account.id, body);
        return { ...endpoint, signing_secret: secret };
      },
    ),
    accountRoute({ operation: webhookEndpointGetOperation, permissions }, (call) =>
      endpoints.get(call.account.id, idOf(call)),
    ),
    accountRoute({ operation: webhookEndpointUpdateOperation, permissions, body: bodies.update }, (call) =>
      endpoints.update(call.account.id, idOf(call), call.body),
    ),
    accountRoute({ operation: webhookEndpointDeleteOperation, permissions }, async (call) => {
      await endpoints.delete(call.account.id, idOf(call));
      return null;
    }),
    accountRoute({ operation: webhookSecretRotateOperation, permissions }, async (call) => ({
      signing_secret: (await endpoints.rotateSecret(call.account.id, idOf(call))).secret,
    })),
  ];
}
