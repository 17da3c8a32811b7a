import { webhookEndpointBodySchemas } from '@natter/sdk';
import * as v from 'valibot';
import { isUuid } from '../../accounts/index.ts';
import { writeTestEvent } from '../../api/alerts/index.ts';
import {
  type AccountDelivery,
  findAccountDelivery,
  isReceiverUrl,
  listAccountDeliveries,
  queueDelivery,
  resendDelivery,
} from '../../api/webhooks/index.ts';
import { DeskError } from '../../staff/index.ts';
import { audit, type ConsoleCall, type ConsoleRoute, consoleRoute } from '../console-call.ts';
import {
  deliveriesQuery,
  deliveryListView,
  deliveryView,
  endpointListView,
  testSchema,
} from './alert-schemas.ts';

const PAGE = 50;

const iso = (atMs: number): string => new Date(atMs).toISOString();
const ofEndpoint = (method: 'PUT' | 'DELETE') =>
  ({ method, path: '/webhook-endpoints/{id}', role: 'admin' }) as const;
// Whether a private host is allowed is for the service to say.
const bodies = webhookEndpointBodySchemas(true);

/** Where events go, and what became of them. */
export const WEBHOOK_ROUTES: readonly ConsoleRoute[] = [
  consoleRoute(
    {
      ...{ id: 'consoleWebhookEndpoints', method: 'GET', path: '/webhook-endpoints' },
      summary: 'The webhook endpoints of the account.',
      answer: endpointListView,
    },
    async ({ server, person }) => {
      const endpoints = await server.webhooks.list(person.accountId, {});
      return { endpoints: endpoints.filter(({ url }) => !isReceiverUrl(url)) };
    },
  ),
  consoleRoute(
    {
      ...{ id: 'consoleWebhookEndpointAdd', method: 'POST', path: '/webhook-endpoints', role: 'admin' },
      summary: 'Add an endpoint. The answer has its signing secret, once.',
      body: bodies.create,
    },
    async (call) => {
      const { endpoint, secret } = await call.server.webhooks.create(call.person.accountId, call.body);
      await audit(call, 'add_webhook_endpoint', endpoint.name);
      return { id: endpoint.id, name: endpoint.name, secret };
    },
  ),
  consoleRoute(
    {
      ...{ id: 'consoleWebhookEndpointChange', ...ofEndpoint('PUT') },
      summary: 'Change the given fields of an endpoint. Disabling it drops what waits to be delivered.',
      body: bodies.update,
    },
    async (call) => {
      const { server, person, params, body } = call;
      const endpoint = await server.webhooks.update(person.accountId, params['id'] ?? '', body);
      await audit(call, 'change_webhook_endpoint', endpoint.name);
      return endpoint;
    },
  ),
  consoleRoute(
    {
      ...{ id: 'consoleWebhookEndpointDelete', ...ofEndpoint('DELETE') },
      summary: 'Delete an endpoint with its deliveries.',
    },
    async (call) => {
      const { server, person, params } = call;
      const endpoint = await server.webhooks.delete(person.accountId, params['id'] ?? '');
      await audit(call, 'delete_webhook_endpoint', endpoint.name);
      return {};
    },
  ),
  consoleRoute(
    {
      ...{ id: 'consoleWebhookSecret', method: 'POST', path: '/webhook-endpoints/{id}/secret' },
      role: 'admin',
      summary:
        'Replace the signing secret of an endpoint immediately. Only this response contains the new one.',
    },
    async (call) => {
      const { server, person, params } = call;
      const { endpoint, secret } = await server.webhooks.rotateSecret(person.accountId, params['id'] ?? '');
      await audit(call, 'rotate_webhook_secret', endpoint.name);
      return { id: endpoint.id, name: endpoint.name, secret };
    },
  ),
  consoleRoute(
    {
      ...{ id: 'consoleWebhookTest', method: 'POST', path: '/webhook-endpoints/{id}/test', role: 'admin' },
      summary: 'Send a test event to one endpoint immediately. Its rule does not exist.',
      body: testSchema,
      answer: v.object({ delivery_id: v.string() }),
    },
    async (call) => {
      const { server, person, params, body } = call;
      const { id, name, enabled } = await server.webhooks.get(person.accountId, params['id'] ?? '');
      if (!enabled) throw new DeskError(409, 'DISABLED', 'Enable the endpoint first: nothing is sent to it.');
      const nowMs = server.clock.now();
      const event = writeTestEvent(body.event_type, nowMs);
      const deliveryId = await queueDelivery(server.database, id, event, nowMs);
      server.deliverWebhooks();
      await audit(call, 'test_webhook_endpoint', name);
      return { delivery_id: deliveryId };
    },
  ),
  consoleRoute(
    {
      ...{ id: 'consoleWebhookDeliveries', method: 'GET', path: '/webhook-deliveries' },
      summary: 'Deliveries to the endpoints of the account, the newest first. They are kept for a week.',
      query: deliveriesQuery,
      answer: deliveryListView,
    },
    async ({ server, person, query }) => {
      const { endpoint: endpointId, state, cursor } = query;
      const before = cursor === undefined ? undefined : readCursor(cursor);
      const filter = { endpointId, state, before, limit: PAGE };
      const deliveries = await listAccountDeliveries(server.database, person.accountId, filter);
      const last = deliveries.length < PAGE ? undefined : deliveries.at(-1);
      return {
        deliveries: deliveries.map(viewDelivery),
        cursor: last === undefined ? null : `${last.createdAtMs}.${last.id}`,
      };
    },
  ),
  consoleRoute(
    {
      ...{ id: 'consoleWebhookDelivery', method: 'GET', path: '/webhook-deliveries/{id}' },
      summary: 'One delivery with its body and its attempts.',
      answer: deliveryView,
    },
    async (call) => {
      const delivery = await requireDelivery(call);
      return {
        ...viewDelivery(delivery),
        body: delivery.body,
        history: delivery.history.map(({ at, ms, outcome }) => ({ at: iso(at), duration_ms: ms, outcome })),
      };
    },
  ),
  consoleRoute(
    {
      ...{ id: 'consoleWebhookResend', method: 'POST', path: '/webhook-deliveries/{id}/resend' },
      role: 'admin',
      summary: 'Send a delivery again immediately, under the same event id.',
    },
    async (call) => {
      const { id, endpointName, eventType } = await requireDelivery(call);
      const { database, clock, deliverWebhooks } = call.server;
      if (!(await resendDelivery(database, id, clock.now())))
        throw new DeskError(409, 'NOT_NOW', 'It is on its way still, or its endpoint is disabled.');
      deliverWebhooks();
      await audit(call, 'resend_webhook', `${eventType} to ${endpointName}`);
      return {};
    },
  ),
];

async function requireDelivery({
  server,
  person,
  params,
}: ConsoleCall<unknown, unknown>): Promise<AccountDelivery> {
  const id = params['id'] ?? '';
  const delivery = isUuid(id) ? await findAccountDelivery(server.database, person.accountId, id) : null;
  if (delivery !== null) return delivery;
  throw new DeskError(404, 'NOT_FOUND', 'There is no such delivery: they are kept for a week.');
}

function viewDelivery(delivery: AccountDelivery) {
  const { id, endpointId, endpointName, eventType, state, attempts, lastOutcome } = delivery;
  return {
    ...{ id, state, attempts },
    endpoint_id: endpointId,
    endpoint_name: endpointName,
    event_type: eventType,
    last_outcome: lastOutcome,
    created_at: iso(delivery.createdAtMs),
    due_at: state === 'pending' ? iso(delivery.dueAtMs) : null,
  };
}

function readCursor(cursor: string): { readonly createdAtMs: number; readonly id: string } {
  const [, at = '', id = ''] = /^(\d{1,15})\.(.+)$/.exec(cursor) ?? [];
  if (isUuid(id)) return { createdAtMs: Number(at), id };
  throw new DeskError(400, 'INVALID', 'cursor must be that of the page before');
}
