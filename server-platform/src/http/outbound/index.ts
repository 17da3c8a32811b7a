/** Requests to other servers: webhooks, models, desks, speech, storage. */
export type { OutboundLimits } from './exchange.ts';
export { OutboundAnswer } from './outbound-answer.ts';
export {
  createOutboundClient,
  type OutboundClient,
  type OutboundClientOptions,
  type OutboundRequest,
} from './outbound-client.ts';
export { isOutboundError, OutboundError, type OutboundPhase } from './outbound-error.ts';
export { sendWithRetries } from './send-with-retries.ts';
