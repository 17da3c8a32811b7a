import type { Sql } from '../../db/index.ts';
import type { RestFamily, RestServices } from '../rest/index.ts';
import {
  createWebhookRoutes,
  createWebhookSender,
  createWebhookService,
  queueDeliveries,
  removeOldReceivers,
  WebhookDeliverer,
  type WebhookService,
  withReceiver,
} from '../webhooks/index.ts';
import { AlertEvaluator } from './alert-evaluator.ts';
import type { AlertEvent } from './alert-event.ts';
import { createAlertRoutes } from './alert-routes.ts';
import { type AlertService, createAlertService } from './alert-service.ts';

const USER_AGENT = 'Natter-Platform-Webhooks';
const RECEIVERS_SWEEP_MS = 10 * 60_000;

/** Route group that monitors conversations and notifies webhooks. */
export interface MonitoringFamily extends RestFamily {
  readonly alerts: AlertService;
  readonly webhooks: WebhookService;
  /** Sends deliveries that were queued elsewhere on this node. */
  readonly deliver: () => void;
}

/** Alert rules, alerts and webhook endpoints, with evaluation and delivery. Source: sections 9 to 12. */
export async function startMonitoring(services: RestServices): Promise<MonitoringFamily> {
  const { database, clock, scheduler, settings, vault, node, onFailure } = services;
  const { webhookPrivateAddresses: allowsPrivateAddresses } = settings;
  const deliverer = new WebhookDeliverer({
    database,
    vault,
    clock,
    send: withReceiver(createWebhookSender({ clock, allowsPrivateAddresses }), { database, vault, clock }),
    node,
    headerStyle: settings.webhookHeaderStyle,
    userAgent: USER_AGENT,
    onDead: ({ id, attempt, endpoint }, outcome) =>
      onFailure(
        'deliver a webhook',
        new Error(`Gave up ${id} for ${endpoint.id} after attempt ${attempt}: ${outcome}. See: webhook list`),
      ),
    onAttempt: services.countWebhook,
    onFailure,
  });
  const emit = async (sql: Sql, accountId: string, event: AlertEvent): Promise<void> => {
    const dropped = await queueDeliveries(sql, accountId, event, clock.now());
    if (dropped > 0)
      onFailure(
        'deliver a webhook',
        new Error(`Dropped ${dropped} for ${accountId}, whose receivers do not answer. See: webhook list`),
      );
  };
  const evaluator = new AlertEvaluator({
    database,
    clock,
    scheduler,
    intervalMs: settings.alertEvaluationSeconds * 1000,
    emit,
    onEvaluated: () => deliverer.poll(),
    onFailure,
  });
  const deliver = (): void => deliverer.poll();
  const alerts = createAlertService({ database, clock, backend: evaluator, emit, onEmitted: deliver });
  const webhooks = createWebhookService({ database, clock, vault, allowsPrivateAddresses });
  await deliverer.start();
  evaluator.start();
  const receivers = scheduler.every({
    ...{ what: 'remove old webhook receivers', everyMs: RECEIVERS_SWEEP_MS, onOneNode: true },
    run: () => removeOldReceivers(database, clock.now()),
  });
  return {
    routes: [...createAlertRoutes(alerts), ...createWebhookRoutes(webhooks, { allowsPrivateAddresses })],
    alerts,
    webhooks,
    deliver,
    async close() {
      await receivers.stop();
      await evaluator.close();
      await deliverer.close();
    },
  };
}
