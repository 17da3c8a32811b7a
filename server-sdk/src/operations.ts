import type { Operation } from './http/operation.ts';
import {
  alertRuleCreateOperation,
  alertRuleDeleteOperation,
  alertRuleGetOperation,
  alertRulesListOperation,
  alertRuleUpdateOperation,
} from './resources/alert-rules.ts';
import { alertsListOperation } from './resources/alerts.ts';
import { chatCloseOperation, chatCreateOperation, chatRespondOperation } from './resources/chat.ts';
import { concurrencyGetOperation } from './resources/concurrency.ts';
import {
  conversationGetOperation,
  conversationsListOperations,
} from './resources/conversations/conversations.ts';
import { eraseOperation } from './resources/erasure.ts';
import { externalEventSendOperation } from './resources/external-events.ts';
import { handoffGetOperation } from './resources/handoff.ts';
import { reserveNumberOperation } from './resources/numbers.ts';
import { generateAudioOperation } from './resources/voice.ts';
import {
  webhookEndpointCreateOperation,
  webhookEndpointDeleteOperation,
  webhookEndpointGetOperation,
  webhookEndpointsListOperation,
  webhookEndpointUpdateOperation,
  webhookSecretRotateOperation,
} from './resources/webhook-endpoints.ts';

/** All calls, in the order of the contract; erasure, which is not in the contract, comes last. */
export const operations: readonly Operation[] = [
  chatCreateOperation,
  chatRespondOperation,
  chatCloseOperation,
  conversationsListOperations.v1,
  conversationsListOperations.v2,
  conversationsListOperations.v3,
  conversationGetOperation,
  concurrencyGetOperation,
  externalEventSendOperation,
  reserveNumberOperation,
  generateAudioOperation,
  alertRulesListOperation,
  alertRuleCreateOperation,
  alertRuleGetOperation,
  alertRuleUpdateOperation,
  alertRuleDeleteOperation,
  alertsListOperation,
  webhookEndpointsListOperation,
  webhookEndpointCreateOperation,
  webhookEndpointGetOperation,
  webhookEndpointUpdateOperation,
  webhookEndpointDeleteOperation,
  webhookSecretRotateOperation,
  handoffGetOperation,
  eraseOperation,
];
