// The client

export { createNatter, type Natter } from './create-natter.ts';
// Errors
export { CORRELATION_HEADER, readErrorText } from './errors/error-body.ts';
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
export { readRetryAfter } from './errors/read-error-response.ts';
export type { QueryValue } from './http/build-url.ts';
export type { CallOptions, IdempotentCall, ProjectCallOptions } from './http/call-options.ts';
export type { Clock } from './http/clock.ts';
export type { ConnectionCause } from './http/connection-failure.ts';
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
export { operations } from './operations.ts';
export type { NatterOptions } from './options.ts';
export type { AlertRulesClient } from './resources/alert-rules.ts';
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
  alertRuleCreateOperation,
  alertRuleDeleteOperation,
  alertRuleGetOperation,
  alertRuleIdSchema,
  alertRuleSchema,
  alertRulesListOperation,
  alertRulesQuerySchema,
  alertRuleUpdateBodySchema,
  alertRuleUpdateOperation,
  alertStateSchema,
  alertWindowSchema,
} from './resources/alert-rules.ts';
export {
  type ActiveAlert,
  type AlertsClient,
  type AlertsQuery,
  activeAlertSchema,
  alertsListOperation,
  alertsQuerySchema,
} from './resources/alerts.ts';
// Chat
export type { ChatClient } from './resources/chat.ts';
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
  chatCloseOperation,
  chatCreateBodySchema,
  chatCreatedSchema,
  chatCreateOperation,
  chatReplySchema,
  chatRespondBodySchema,
  chatRespondOperation,
} from './resources/chat.ts';
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
} from './resources/concurrency.ts';
export type { ConversationList, ConversationsClient } from './resources/conversations/conversations.ts';
export {
  conversationGetOperation,
  conversationsListOperations,
} from './resources/conversations/conversations.ts';
export {
  conversationsPageV1Schema,
  conversationsPageV2Schema,
  conversationsPageV3Schema,
  type Page,
  type PageEnd,
} from './resources/conversations/page.ts';
export type {
  ListConversationsV1,
  ListConversationsV2,
  ListConversationsV3,
} from './resources/conversations/query.ts';
export {
  type ClientEnvironment,
  CONVERSATIONS_LIMIT,
  type ConversationsQuery,
  type ConversationsVersion,
  canonicalChannel,
  clientEnvironmentSchema,
  conversationsQuerySchema,
} from './resources/conversations/query.ts';
// Conversations
export {
  type Conversation,
  type ConversationDetail,
  type ConversationTurn,
  conversationDetailSchema,
  conversationSchema,
  conversationTurnSchema,
  type LegacyConversation,
  type LegacyTurn,
  legacyConversationSchema,
  type OneOrMore,
} from './resources/conversations/record.ts';
// Erasure
export {
  type EraseBody,
  type Erased,
  type ErasureClient,
  eraseBodySchema,
  erasedSchema,
  eraseOperation,
} from './resources/erasure.ts';
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
} from './resources/external-events.ts';
// Handoff state
export {
  type HandoffClient,
  type HandoffState,
  type HandoffStateQuery,
  handoffGetOperation,
  handoffStateQuerySchema,
  handoffStateSchema,
} from './resources/handoff.ts';
// Number reservation
export {
  type NumbersClient,
  type ReservedNumber,
  type ReserveNumberBody,
  reservedNumberSchema,
  reserveNumberBodySchema,
  reserveNumberOperation,
} from './resources/numbers.ts';
// Voice preview
export {
  type GenerateAudioBody,
  type GeneratedAudio,
  generateAudioBodySchema,
  generateAudioOperation,
  generatedAudioSchema,
  PREVIEW_TEXT_MAX_CHARACTERS,
  type VoiceClient,
} from './resources/voice.ts';
export type { WebhookEndpointsClient } from './resources/webhook-endpoints.ts';
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
  webhookEndpointCreateOperation,
  webhookEndpointDeleteOperation,
  webhookEndpointGetOperation,
  webhookEndpointIdSchema,
  webhookEndpointSchema,
  webhookEndpointsListOperation,
  webhookEndpointsQuerySchema,
  webhookEndpointUpdateOperation,
  webhookEventTypeSchema,
  webhookSecretRotateOperation,
} from './resources/webhook-endpoints.ts';
export type { TimeInput } from './schema/fields.ts';
export { fieldDescriptions, fieldNames } from './schema/inspect-schema.ts';
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
// Webhook deliveries
export {
  judgeWebhookAnswer,
  nextWebhookDelayMs,
  WEBHOOK_SCHEDULE,
  type WebhookAnswer,
  type WebhookOutcome,
  type WebhookScheduleEntry,
} from './webhooks/delivery-schedule.ts';
export { signWebhook, type WebhookSignatureInput } from './webhooks/sign-webhook.ts';
export {
  verifyWebhook,
  WEBHOOK_TOLERANCE_SECONDS,
  type WebhookDelivery,
  type WebhookVerification,
} from './webhooks/verify-webhook.ts';
export {
  readWebhookEvent,
  type WebhookAlert,
  type WebhookEvent,
  webhookEventSchema,
} from './webhooks/webhook-event.ts';
export {
  type HeadersInput,
  WEBHOOK_HEADERS,
  type WebhookAttempt,
  type WebhookHeader,
  type WebhookHeaderStyle,
  writeWebhookHeaders,
} from './webhooks/webhook-headers.ts';
