/** Webhook endpoints and the delivery of events to them. */
export {
  type AccountDelivery,
  findAccountDelivery,
  listAccountDeliveries,
  queueDelivery,
  readDeliveryBacklog,
  resendDelivery,
} from './account-deliveries.ts';
export { queueDeliveries } from './deliveries.ts';
export { WEBHOOK_COMMANDS } from './manage-webhooks.ts';
export { createWebhookSender } from './send-webhook.ts';
export { WebhookDeliverer } from './webhook-deliverer.ts';
export {
  isReceiverUrl,
  listReceipts,
  RECEIVER_ANSWERS,
  RECEIVER_MS,
  receiverUrl,
  removeOldReceivers,
  withReceiver,
} from './webhook-receiver.ts';
export { createWebhookRoutes } from './webhook-routes.ts';
export { createWebhookService, type WebhookService } from './webhook-service.ts';
