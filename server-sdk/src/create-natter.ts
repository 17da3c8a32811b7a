import type { ClientCore } from './http/client-core.ts';
import { createTransport } from './http/transport.ts';
import { type NatterOptions, readOptions } from './options.ts';
import { type AlertRulesClient, createAlertRulesClient } from './resources/alert-rules.ts';
import { type AlertsClient, createAlertsClient } from './resources/alerts.ts';
import { type ChatClient, createChatClient } from './resources/chat.ts';
import { type ConcurrencyClient, createConcurrencyClient } from './resources/concurrency.ts';
import {
  type ConversationsClient,
  createConversationsClient,
} from './resources/conversations/conversations.ts';
import { createErasureClient, type ErasureClient } from './resources/erasure.ts';
import { createExternalEventsClient, type ExternalEventsClient } from './resources/external-events.ts';
import { createHandoffClient, type HandoffClient } from './resources/handoff.ts';
import { createNumbersClient, type NumbersClient } from './resources/numbers.ts';
import { createVoiceClient, type VoiceClient } from './resources/voice.ts';
import { createWebhookEndpointsClient, type WebhookEndpointsClient } from './resources/webhook-endpoints.ts';
import { usesVendorNames } from './schema/vendor-names.ts';

/** The client of the whole REST interface. It holds no connection and keeps no state between calls. */
export interface Natter {
  readonly chat: ChatClient;
  readonly conversations: ConversationsClient;
  readonly concurrency: ConcurrencyClient;
  readonly externalEvents: ExternalEventsClient;
  readonly numbers: NumbersClient;
  readonly voice: VoiceClient;
  readonly alertRules: AlertRulesClient;
  readonly alerts: AlertsClient;
  readonly webhookEndpoints: WebhookEndpointsClient;
  readonly handoff: HandoffClient;
  readonly erasure: ErasureClient;
}

/**
 * Creates the client. Printing or serialising the client does not reveal its keys, and errors never contain them.
 *
 * Every call accepts an `AbortSignal` and rejects with a `NatterError`. Reads, PUT, PATCH and DELETE are repeated after
 * timeouts, broken connections, 408, 429 and 5xx except 501; calls that create or send something only after responses
 * which state that nothing was done.
 *
 * @throws NatterError `INVALID_CONFIGURATION`, `REGION_REQUIRED`
 * @example
 * const natter = createNatter({ region: 'us-1', apiKey, accountId: 'acme', projectId: 'ferries' });
 * for await (const { id } of natter.conversations.v3.iterate({ limit: 100 })) console.log(id);
 */
export function createNatter(options: NatterOptions): Natter {
  const { settings, accountId, projectId, vendorNames } = readOptions(options);
  const core: ClientCore = {
    transport: createTransport(settings),
    accountId,
    projectId,
    usesVendorNames: (family) => usesVendorNames(vendorNames, family),
  };
  return {
    chat: createChatClient(core),
    conversations: createConversationsClient(core),
    concurrency: createConcurrencyClient(core),
    externalEvents: createExternalEventsClient(core),
    numbers: createNumbersClient(core),
    voice: createVoiceClient(core),
    alertRules: createAlertRulesClient(core),
    alerts: createAlertsClient(core),
    webhookEndpoints: createWebhookEndpointsClient(core),
    handoff: createHandoffClient(core),
    erasure: createErasureClient(core),
  };
}
