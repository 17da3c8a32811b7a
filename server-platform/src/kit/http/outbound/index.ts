/** Requests to other servers: webhooks, models, desks, speech, storage. */
export { OutboundAnswer } from './outbound-answer.ts';
export { createOutboundClient, type OutboundClient, type OutboundRequest } from './outbound-client.ts';
export { isOutboundError, type OutboundPhase } from './outbound-error.ts';
export { sendWithRetries } from './send-with-retries.ts';
