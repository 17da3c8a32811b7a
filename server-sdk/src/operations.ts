import {
  alertRuleCreateOperation,
  alertRuleDeleteOperation,
  alertRuleGetOperation,
  alertRulesListOperation,
  alertRuleUpdateOperation,
} from './alert-rules/alert-rules-operations.ts';
import { alertsListOperation } from './alerts/alerts.ts';
import { chatCloseOperation, chatCreateOperation, chatRespondOperation } from './chat/chat-operations.ts';
import { concurrencyGetOperation } from './concurrency/concurrency.ts';
import {
  conversationGetOperation,
  conversationsListOperations,
} from './conversations/conversations-operations.ts';
import { eraseOperation } from './erasure/erasure.ts';
import { externalEventSendOperation } from './external-events/external-events.ts';
import { handoffGetOperation } from './handoff/handoff.ts';
import type { Operation } from './http/operation.ts';
import { reserveNumberOperation } from './numbers/numbers.ts';
import { generateAudioOperation } from './voice/voice.ts';
import {
  webhookEndpointCreateOperation,
  webhookEndpointDeleteOperation,
  webhookEndpointGetOperation,
  webhookEndpointsListOperation,
  webhookEndpointUpdateOperation,
  webhookSecretRotateOperation,
} from './webhook-endpoints/webhook-endpoints-operations.ts';

/** Every call of every family, in the order of the contract; erasure, which the contract does not have, comes last. */
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
