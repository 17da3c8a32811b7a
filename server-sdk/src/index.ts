// The client

// Alert rules and alerts
export {
  type AlertMetric,
  type AlertOperator,
  type AlertRule,
  type AlertRuleCreateBody,
  type AlertRulesQuery,
  type AlertRuleUpdateBody,
  type AlertState,
  type AlertWindow,
  alertMetricSchema,
  alertOperatorSchema,
  alertRuleCreateBodySchema,
  alertRuleIdSchema,
  alertRuleSchema,
  alertRulesQuerySchema,
  alertRuleUpdateBodySchema,
  alertStateSchema,
  alertWindowSchema,
} from './alert-rules/alert-rule-schemas.ts';
export type { AlertRulesClient } from './alert-rules/alert-rules-client.ts';
export {
  alertRuleCreateOperation,
  alertRuleDeleteOperation,
  alertRuleGetOperation,
  alertRulesListOperation,
  alertRuleUpdateOperation,
} from './alert-rules/alert-rules-operations.ts';
export {
  type ActiveAlert,
  type AlertsClient,
  type AlertsQuery,
  activeAlertSchema,
  alertsListOperation,
  alertsQuerySchema,
} from './alerts/alerts.ts';
// Chat
export type { ChatClient } from './chat/chat-client.ts';
export { chatCloseOperation, chatCreateOperation, chatRespondOperation } from './chat/chat-operations.ts';
export {
  ATTRIBUTES_MAX_BYTES,
  CHAT_MESSAGE_MAX_BYTES,
  type ChatChannel,
  type ChatCloseBody,
  type ChatClosed,
  type ChatCreateBody,
  type ChatCreated,
  type ChatHandoff,
  type ChatReply,
  type ChatRespondBody,
  chatCloseBodySchema,
  chatClosedSchema,
  chatCreateBodySchema,
  chatCreatedSchema,
  chatReplySchema,
  chatRespondBodySchema,
} from './chat/chat-schemas.ts';
// Concurrency
export {
  CONCURRENCY_MAX_RANGE_MS,
  type Concurrency,
  type ConcurrencyClient,
  type ConcurrencyInterval,
  type ConcurrencyQuery,
  type ConcurrencyRequest,
  concurrencyGetOperation,
  concurrencyQuerySchema,
  concurrencySchema,
} from './concurrency/concurrency.ts';
// Conversations
export { type ConversationDetail, conversationDetailSchema } from './conversations/conversation-detail.ts';
export {
  type Conversation,
  type ConversationTurn,
  conversationSchema,
  conversationTurnSchema,
  type LegacyConversation,
  type LegacyTurn,
  legacyConversationSchema,
  type OneOrMore,
} from './conversations/conversation-record.ts';
export type { ConversationList, ConversationsClient } from './conversations/conversations-client.ts';
export {
  conversationGetOperation,
  conversationsListOperations,
} from './conversations/conversations-operations.ts';
export {
  conversationsPageV1Schema,
  conversationsPageV2Schema,
  conversationsPageV3Schema,
  type Page,
  type PageEnd,
} from './conversations/conversations-page.ts';
export {
  type ClientEnvironment,
  CONVERSATIONS_LIMIT,
  type ConversationsQuery,
  type ConversationsVersion,
  canonicalChannel,
  conversationsQuerySchema,
} from './conversations/conversations-query.ts';
export type {
  ListConversationsV1,
  ListConversationsV2,
  ListConversationsV3,
} from './conversations/list-conversations.ts';
export { createNatter, type Natter } from './create-natter.ts';
// Erasure
export {
  type EraseBody,
  type Erased,
  type ErasureClient,
  eraseBodySchema,
  erasedSchema,
  eraseOperation,
} from './erasure/erasure.ts';
// Errors
export { CORRELATION_HEADER, readErrorText } from './error-body.ts';
export {
  type ErrorAdvice,
  LOCAL_ERROR_CODES,
  type LocalErrorCode,
  PLATFORM_ERROR_CODES,
  type PlatformErrorCode,
} from './errors/error-codes.ts';
export {
  type ErrorEnvelope,
  errorEnvelopeSchema,
  type MonitoringError,
  monitoringErrorSchema,
  type ReservationError,
  reservationErrorSchema,
} from './errors/error-envelopes.ts';
export { isNatterError, NatterError, type NatterErrorInit } from './errors/natter-error.ts';
// External events
export {
  EVENT_ID_MAX_CHARACTERS,
  type EventIdLocation,
  EXTERNAL_EVENT_PARAMETERS,
  type ExternalEvent,
  type ExternalEventContent,
  type ExternalEventQuery,
  type ExternalEventsClient,
  externalEventQuerySchema,
  externalEventSendOperation,
} from './external-events/external-events.ts';
// Handoff state
export {
  type HandoffClient,
  type HandoffState,
  type HandoffStateQuery,
  handoffGetOperation,
  handoffStateQuerySchema,
  handoffStateSchema,
} from './handoff/handoff.ts';
export type { CallOptions, ProjectCallOptions } from './http/call-options.ts';
export type { Clock } from './http/clock.ts';
export type { ConnectionCause } from './http/connection-failure.ts';
export type { QueryValue, TimeInput } from './http/encode-query.ts';
export {
  findClientAddress,
  isLoopbackHost,
  isPrivateHost,
  isPublicAddress,
  toAddressKey,
} from './http/ip-address.ts';
export type {
  ErrorShape,
  Family,
  Operation,
  OperationBody,
  OperationSuccess,
  Service,
} from './http/operation.ts';
export type { HostOptions } from './http/resolve-hosts.ts';
export type { Repeatability } from './http/retry-policy.ts';
export type { NatterOptions } from './natter-options.ts';
// Number reservation
export {
  type NumbersClient,
  type ReservedNumber,
  type ReserveNumberBody,
  reservedNumberSchema,
  reserveNumberBodySchema,
  reserveNumberOperation,
} from './numbers/numbers.ts';
export { operations } from './operations.ts';
export { fieldNames } from './schema/inspect-schema.ts';
// Reading requests, as the platform does
export { parseTime } from './schema/iso-time.ts';
export type { Schema } from './schema/object-of.ts';
export { errorText, type FieldError, type Parsed, parseBody, parseQuery } from './schema/parse.ts';
export { accountIdSchema, projectIdSchema } from './schema/path-ids.ts';
export {
  CORRELATION_HEADERS,
  toNeutralFields,
  toVendorFields,
  usesVendorNames,
  VENDOR_FIELDS,
  type VendorFields,
  type VendorNames,
} from './schema/vendor-names.ts';
// Voice preview
export {
  type GenerateAudioBody,
  type GeneratedAudio,
  generateAudioBodySchema,
  generateAudioOperation,
  generatedAudioSchema,
  PREVIEW_TEXT_MAX_CHARACTERS,
  type VoiceClient,
} from './voice/voice.ts';
// Webhook deliveries
export {
  judgeWebhookAnswer,
  nextWebhookDelayMs,
  WEBHOOK_SCHEDULE,
  type WebhookAnswer,
  type WebhookOutcome,
  type WebhookScheduleEntry,
} from './webhook-delivery/delivery-schedule.ts';
export { signWebhook, type WebhookSignatureInput } from './webhook-delivery/sign-webhook.ts';
export {
  verifyWebhook,
  WEBHOOK_TOLERANCE_SECONDS,
  type WebhookDelivery,
  type WebhookVerification,
} from './webhook-delivery/verify-webhook.ts';
export {
  readWebhookEvent,
  type WebhookAlert,
  type WebhookEvent,
  webhookEventSchema,
} from './webhook-delivery/webhook-event.ts';
export {
  type HeadersInput,
  WEBHOOK_HEADERS,
  type WebhookAttempt,
  type WebhookHeader,
  type WebhookHeaderStyle,
  writeWebhookHeaders,
} from './webhook-delivery/webhook-headers.ts';
// Webhook endpoints
export {
  type CreatedWebhookEndpoint,
  createdWebhookEndpointSchema,
  type SigningSecret,
  signingSecretSchema,
  type WebhookEndpoint,
  type WebhookEndpointBodySchemas,
  type WebhookEndpointCreateBody,
  type WebhookEndpointsQuery,
  type WebhookEndpointUpdateBody,
  type WebhookEventType,
  webhookEndpointBodySchemas,
  webhookEndpointIdSchema,
  webhookEndpointSchema,
  webhookEndpointsQuerySchema,
  webhookEventTypeSchema,
} from './webhook-endpoints/webhook-endpoint-schemas.ts';
export type { WebhookEndpointsClient } from './webhook-endpoints/webhook-endpoints-client.ts';
export {
  webhookEndpointCreateOperation,
  webhookEndpointDeleteOperation,
  webhookEndpointGetOperation,
  webhookEndpointsListOperation,
  webhookEndpointUpdateOperation,
  webhookSecretRotateOperation,
} from './webhook-endpoints/webhook-endpoints-operations.ts';
