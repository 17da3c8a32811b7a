/** Webhook endpoints and the delivery of events to them. */
export { queueDeliveries } from './deliveries.ts';
export { WEBHOOK_COMMANDS } from './manage-webhooks.ts';
export { createWebhookSender } from './send-webhook.ts';
export { WebhookDeliverer } from './webhook-deliverer.ts';
export { createWebhookRoutes } from './webhook-routes.ts';
