import type { WebhookEndpoint } from '@natter/sdk';
import { isReceiverUrl, listReceipts, RECEIVER_MS, receiverUrl } from '../../api/webhooks/index.ts';
import { DeskError } from '../../staff/index.ts';
import { audit, type ConsoleCall, type ConsoleRoute, consoleRoute } from '../console-call.ts';
import { receiverSchema, receiverView } from './alert-schemas.ts';

const RECEIVER = 'Console receiver';

/** The built-in receiver: an endpoint for a day, whose deliveries stay in the platform and are shown here. */
export const RECEIVER_ROUTES: readonly ConsoleRoute[] = [
  consoleRoute(
    {
      ...{ id: 'consoleReceiver', method: 'GET', path: '/webhook-receiver' },
      summary: 'The built-in receiver of the account, and the last fifty requests that arrived there.',
      answer: receiverView,
    },
    async (call) => {
      const endpoint = await findReceiver(call);
      if (endpoint === null) return { receiver: null };
      const receipts = await listReceipts(call.server.database, endpoint.id);
      return {
        receiver: {
          ...{ endpoint_id: endpoint.id, url: endpoint.url, enabled: endpoint.enabled },
          expires_at: new Date(Date.parse(endpoint.created_at) + RECEIVER_MS).toISOString(),
          receipts: receipts.map(({ atMs, ...receipt }) => ({
            ...receipt,
            at: new Date(atMs).toISOString(),
          })),
        },
      };
    },
  ),
  consoleRoute(
    {
      ...{ id: 'consoleReceiverOpen', method: 'POST', path: '/webhook-receiver', role: 'admin' },
      summary: 'Make the built-in receiver. It is an endpoint of the account for a day.',
      body: receiverSchema,
    },
    async (call) => {
      if ((await findReceiver(call)) !== null)
        throw new DeskError(409, 'EXISTS', 'The account has a receiver already: remove that one first.');
      const { endpoint } = await call.server.webhooks.create(call.person.accountId, {
        name: RECEIVER,
        url: receiverUrl(call.body.answers),
        event_types: ['alerts.triggered', 'alerts.resolved'],
      });
      await audit(call, 'add_webhook_endpoint', RECEIVER);
      return { id: endpoint.id };
    },
  ),
  consoleRoute(
    {
      ...{ id: 'consoleReceiverRemove', method: 'DELETE', path: '/webhook-receiver', role: 'admin' },
      summary: 'Remove the built-in receiver with what arrived there.',
    },
    async (call) => {
      const endpoint = await findReceiver(call);
      if (endpoint === null) return {};
      await call.server.webhooks.delete(call.person.accountId, endpoint.id);
      await audit(call, 'delete_webhook_endpoint', endpoint.name);
      return {};
    },
  ),
];

async function findReceiver({
  server,
  person,
}: ConsoleCall<unknown, unknown>): Promise<WebhookEndpoint | null> {
  const endpoints = await server.webhooks.list(person.accountId, {});
  return endpoints.find(({ url }) => isReceiverUrl(url)) ?? null;
}
