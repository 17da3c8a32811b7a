import * as v from "valibot";
type Schema<Output> = v.GenericSchema<unknown, Output>;
type AlertMetric =
    | 'turn_latency_p50'
    | 'turn_latency_p95'
    | 'api_errors'
    | 'function_errors'
    | 'call_crashes'
    | 'call_volume';
type AlertOperator =
    | '>'
    | '<'
    | '>='
    | '<=';
type AlertWindow = '5m' | '10m' | '60m';
type AlertState =
    | 'ok'
    | 'alert'
    | 'no_data'
    | 'unknown';
interface AlertRuleCreateBody {
  readonly name: string;
  readonly project_id?: string | null | undefined;
  readonly metric: AlertMetric;
  readonly operator: AlertOperator;
  readonly threshold_value: number;
  readonly window_duration: AlertWindow;
  readonly enabled?: boolean | undefined;
}
type AlertRuleUpdateBody = { readonly [Field in keyof AlertRuleCreateBody]?: AlertRuleCreateBody[Field] | undefined; };
interface AlertRule {
  readonly id: string;
  readonly name: string;
  readonly project_id: string | null;
  readonly metric: AlertMetric;
  readonly operator: AlertOperator;
  readonly threshold_value: number;
  readonly window_duration: AlertWindow;
  readonly enabled: boolean;
  readonly current_state: AlertState | null;
  readonly since: string | null;
  readonly last_evaluated_at: string | null;
  readonly current_value: number | null;
  readonly created_at: string;
  readonly updated_at: string;
}
interface AlertRulesQuery {
  readonly project_id?: string | undefined;
  readonly metric?: AlertMetric | undefined;
  readonly enabled?: boolean | undefined;
  readonly state?: AlertState | undefined;
}
declare const alertMetricSchema: Schema<AlertMetric>;
declare const alertOperatorSchema: Schema<AlertOperator>;
declare const alertWindowSchema: Schema<AlertWindow>;
declare const alertStateSchema: Schema<AlertState>;
declare const alertRuleIdSchema: Schema<string>;
declare const alertRuleCreateBodySchema: Schema<AlertRuleCreateBody>;
declare const alertRuleUpdateBodySchema: Schema<AlertRuleUpdateBody>;
declare const alertRulesQuerySchema: Schema<AlertRulesQuery>;
declare const alertRuleSchema: Schema<AlertRule>;
interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  readonly retries?: number | undefined;
  readonly correlationId?: string | undefined;
}
interface ProjectCallOptions extends CallOptions {
  readonly accountId?: string | undefined;
  readonly projectId?: string | undefined;
}
type Repeatability = 'always' | 'when-refused';
type Family =
    | 'chat'
    | 'conversations'
    | 'concurrency'
    | 'externalEvents'
    | 'numbers'
    | 'voice'
    | 'alertRules'
    | 'alerts'
    | 'webhookEndpoints'
    | 'handoff'
    | 'erasure';
type Service = 'runtime' | 'monitoring';
type ErrorShape = 'E' | 'D' | 'M';
interface Operation {
  readonly id: string;
  readonly family: Family;
  readonly service: Service;
  readonly method:
    | 'GET'
    | 'POST'
    | 'PUT'
    | 'PATCH'
    | 'DELETE';
  readonly path: string;
  readonly summary: string;
  readonly keyHeader: string;
  readonly needsConnectorToken: boolean;
  readonly repeatability: Repeatability;
  readonly pathParameters: Readonly<Record<string, Schema<string>>>;
  readonly query?: Schema<unknown>;
  readonly body?: OperationBody;
  readonly success: OperationSuccess;
  readonly errors: readonly number[];
  readonly errorShape: ErrorShape;
}
interface OperationBody {
  readonly isRequired: boolean;
  readonly schema: Schema<unknown>;
  readonly otherTypes?: Readonly<Record<string, Schema<unknown>>>;
}
interface OperationSuccess {
  readonly status: number;
  readonly description: string;
  readonly schema?: Schema<unknown>;
}
interface FieldError {
  readonly field: string;
  readonly message: string;
}
type Parsed<Value> = {
  readonly isOk: true;
  readonly value: Value;
} | {
  readonly isOk: false;
  readonly errors: readonly FieldError[];
};
declare function parseBody<Value>(schema: Schema<Value>, body: unknown): Parsed<Value>;
declare function parseQuery<Value>(schema: Schema<Value>, query: Iterable<readonly [string, string]>): Parsed<Value>;
declare function errorText(errors: readonly FieldError[]): string;
interface NatterErrorInit {
  readonly code: string;
  readonly text: string;
  readonly status?: number | null;
  readonly fieldErrors?: readonly FieldError[];
  readonly correlationId?: string | null;
  readonly retryAfterMs?: number | null;
  readonly retryable?: boolean;
  readonly advice?: string;
  readonly cause?: unknown;
}
declare class NatterError extends Error {
  readonly name = "NatterError";
  readonly code: string;
  readonly status: number | null;
  readonly fieldErrors: readonly FieldError[];
  readonly correlationId: string | null;
  readonly retryable: boolean;
  readonly retryAfterMs: number | null;
  constructor(init: NatterErrorInit);
}
declare function isNatterError(value: unknown): value is NatterError;
interface Clock {
  readonly now: () => number;
  readonly random: () => number;
  readonly startTimer: (delayMs: number, run: () => void) => () => void;
}
interface AlertRulesClient {
  readonly list: (query?: AlertRulesQuery, options?: CallOptions) => Promise<readonly AlertRule[]>;
  readonly create: (body: AlertRuleCreateBody, options?: CallOptions) => Promise<AlertRule>;
  readonly get: (ruleId: string, options?: CallOptions) => Promise<AlertRule>;
  readonly update: (ruleId: string, body: AlertRuleUpdateBody, options?: CallOptions) => Promise<AlertRule>;
  readonly delete: (ruleId: string, options?: CallOptions) => Promise<void>;
}
declare const alertRulesListOperation: Operation;
declare const alertRuleCreateOperation: Operation;
declare const alertRuleGetOperation: Operation;
declare const alertRuleUpdateOperation: Operation;
declare const alertRuleDeleteOperation: Operation;
interface ActiveAlert {
  readonly alert_rule_id: string;
  readonly name: string;
  readonly project_id: string | null;
  readonly metric: AlertMetric;
  readonly operator: AlertOperator;
  readonly threshold_value: number;
  readonly window_duration: AlertWindow;
  readonly since: string;
  readonly last_evaluated_at: string | null;
  readonly current_value: number | null;
}
interface AlertsQuery {
  readonly project_id?: string | undefined;
  readonly metric?: AlertMetric | undefined;
  readonly enabled?: boolean | undefined;
}
declare const alertsQuerySchema: Schema<AlertsQuery>;
declare const activeAlertSchema: Schema<ActiveAlert>;
declare const alertsListOperation: Operation;
interface AlertsClient {
  readonly list: (query?: AlertsQuery, options?: CallOptions) => Promise<readonly ActiveAlert[]>;
}
type ChatChannel =
    | 'webchat'
    | 'whatsapp'
    | 'sms'
    | 'api';
interface ChatCreateBody {
  readonly variant_id?: string | undefined;
  readonly integration_attributes?: Readonly<Record<string, unknown>> | undefined;
  readonly channel?: ChatChannel | undefined;
  readonly asr_lang_code?: string | undefined;
  readonly tts_lang_code?: string | undefined;
}
interface ChatRespondBody {
  readonly conversation_id: string;
  readonly message?: string | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  readonly asr_lang_code?: string | undefined;
  readonly tts_lang_code?: string | undefined;
}
interface ChatCloseBody {
  readonly conversation_id: string;
}
interface ChatCreated {
  readonly conversation_id: string;
  readonly response: string;
}
interface ChatHandoff {
  readonly destination: string;
  readonly reason: string;
}
interface ChatReply {
  readonly conversation_id: string;
  readonly response: string;
  readonly end_conversation: boolean;
  readonly handoff?: ChatHandoff | undefined;
}
interface ChatClosed {
  readonly success: boolean;
}
declare const CHAT_MESSAGE_MAX_BYTES = 131072;
declare const ATTRIBUTES_MAX_BYTES = 65536;
declare const chatCreateBodySchema: Schema<ChatCreateBody>;
declare const chatRespondBodySchema: Schema<ChatRespondBody>;
declare const chatCloseBodySchema: Schema<ChatCloseBody>;
declare const chatCreatedSchema: Schema<ChatCreated>;
declare const chatReplySchema: Schema<ChatReply>;
declare const chatClosedSchema: Schema<ChatClosed>;
interface ChatClient {
  readonly create: (body?: ChatCreateBody, options?: ProjectCallOptions) => Promise<ChatCreated>;
  readonly respond: (body: ChatRespondBody, options?: ProjectCallOptions) => Promise<ChatReply>;
  readonly close: (body: ChatCloseBody, options?: ProjectCallOptions) => Promise<ChatClosed>;
}
declare const chatCreateOperation: Operation;
declare const chatRespondOperation: Operation;
declare const chatCloseOperation: Operation;
type ConversationsVersion = 'v1' | 'v2' | 'v3';
type ClientEnvironment = 'sandbox' | 'pre-release' | 'live';
interface ConversationsQuery {
  readonly start_time?: number | undefined;
  readonly end_time?: number | undefined;
  readonly client_env: ClientEnvironment;
  readonly channel: readonly string[];
  readonly variant_id?: string | undefined;
  readonly variant_name?: string | undefined;
  readonly in_progress?: boolean | undefined;
  readonly limit: number;
  readonly offset: number;
  readonly cursor?: string | undefined;
  readonly include_latency: boolean;
  readonly include_context_state: boolean;
  readonly include_turn_metadata: boolean;
  readonly query_type?: 'transcript' | 'semantic' | undefined;
  readonly sample?: 'random' | undefined;
  readonly query?: string | undefined;
  readonly turn_type?: 'user' | 'agent' | undefined;
}
declare const CONVERSATIONS_LIMIT: Readonly<Record<'min' | 'max' | 'default', number>>;
declare function conversationsQuerySchema(version: ConversationsVersion, { hasCursor }?: {
  readonly hasCursor?: boolean;
}): Schema<ConversationsQuery>;
declare function canonicalChannel(channel: string): string;
type TimeInput = string | Date;
type QueryValue = string | number | boolean | Date | readonly string[] | null | undefined;
interface ConcurrencyRequest {
  readonly start_time: TimeInput;
  readonly end_time: TimeInput;
  readonly client_env?: ClientEnvironment | undefined;
  readonly variant_id?: string | undefined;
  readonly variant_name?: string | undefined;
  readonly language?: string | undefined;
  readonly phone_number?: string | undefined;
  readonly slice_by?: 'variant' | 'language' | 'phone_number' | undefined;
}
interface ConcurrencyQuery extends Omit<ConcurrencyRequest, 'start_time' | 'end_time' | 'client_env'> {
  readonly start_time: number;
  readonly end_time: number;
  readonly client_env: ClientEnvironment;
}
interface ConcurrencyInterval {
  readonly time: string;
  readonly max_concurrent_conversations: number;
  readonly variant_id?: string | undefined;
  readonly variant_name?: string | undefined;
  readonly language?: string | undefined;
  readonly phone_number?: string | undefined;
}
interface Concurrency {
  readonly account_id: string;
  readonly project_id: string;
  readonly intervals: readonly ConcurrencyInterval[];
}
declare const CONCURRENCY_MAX_RANGE_MS = 604800000;
declare const concurrencyQuerySchema: Schema<ConcurrencyQuery>;
declare const concurrencySchema: Schema<Concurrency>;
declare const concurrencyGetOperation: Operation;
interface ConcurrencyClient {
  readonly get: (request: ConcurrencyRequest, options?: ProjectCallOptions) => Promise<Concurrency>;
}
type OneOrMore = string | readonly string[];
interface ConversationTurn {
  readonly user_input: string;
  readonly user_input_dtmf: string;
  readonly user_input_datetime: string;
  readonly barge_in: boolean;
  readonly agent_response: string;
  readonly agent_response_datetime: string;
  readonly intents: readonly string[];
  readonly entities: Readonly<Record<string, OneOrMore>>;
  readonly is_ood: boolean;
  readonly is_silence: boolean;
  readonly translated_user_input: string;
  readonly english_agent_response: string;
  readonly latency?: number | undefined;
  readonly context_state?: Readonly<Record<string, unknown>> | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}
interface Conversation {
  readonly id: string;
  readonly account_id: string;
  readonly project_id: string;
  readonly variant_id: string;
  readonly variant_name: string;
  readonly environment: string;
  readonly started_at: string;
  readonly channel: string;
  readonly in_progress: boolean;
  readonly from_number: string;
  readonly to_number: string;
  readonly num_turns: number;
  readonly total_duration: number;
  readonly platform_duration: number;
  readonly handoff: boolean;
  readonly handoff_reason: string;
  readonly handoff_destination: string;
  readonly num_silences: number;
  readonly num_ood: number;
  readonly metrics: Readonly<Record<string, OneOrMore>>;
  readonly state: Readonly<Record<string, unknown>>;
  readonly turns: readonly ConversationTurn[];
}
type LegacyTurn = { readonly [Field in keyof ConversationTurn]?: ConversationTurn[Field] | null | undefined; };
type LegacyConversation = { readonly [Field in keyof Omit<Conversation, 'turns'>]?: Conversation[Field] | null | undefined; } & {
  readonly turns?: readonly LegacyTurn[] | null | undefined;
};
declare const conversationTurnSchema: Schema<ConversationTurn>;
declare const conversationSchema: Schema<Conversation>;
declare const legacyConversationSchema: Schema<LegacyConversation>;
interface ConversationDetail {
  readonly conversationId: string;
  readonly accountId: string;
  readonly projectId: string;
  readonly createdAt?: string | undefined;
  readonly startedAt?: string | undefined;
  readonly finishedAt?: string | undefined;
  readonly channel?: string | undefined;
  readonly fromNumber?: string | undefined;
  readonly toNumber?: string | undefined;
  readonly language?: string | undefined;
  readonly variantId?: string | undefined;
  readonly clientEnv?: string | undefined;
  readonly totalDuration?: number | undefined;
  readonly platformDuration?: number | undefined;
  readonly duration?: number | undefined;
  readonly inProgress?: boolean | undefined;
  readonly handoff?: boolean | undefined;
  readonly handoffDestination?: string | undefined;
  readonly handoffReason?: string | undefined;
  readonly direction?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly qualityScore?: number | undefined;
  readonly shortSummary?: string | undefined;
  readonly deploymentId?: string | undefined;
  readonly note?: string | undefined;
  readonly audioUrl?: string | undefined;
  readonly turns?: readonly ConversationTurn[] | undefined;
  readonly metrics?: Readonly<Record<string, OneOrMore>> | undefined;
  readonly functionEvents?: Readonly<Record<string, unknown>> | readonly unknown[] | undefined;
}
declare const conversationDetailSchema: Schema<ConversationDetail>;
interface Page<Item> extends PageEnd {
  readonly conversations: readonly Item[];
}
interface PageEnd {
  readonly descriptions: {
    readonly conversations: Readonly<Record<string, string>>;
  };
  readonly next_offset?: number | undefined;
  readonly cursor?: string | null | undefined;
}
declare const conversationsPageV1Schema: Schema<Omit<Page<LegacyConversation>, 'descriptions'>>;
declare const conversationsPageV2Schema: Schema<Page<Conversation>>;
declare const conversationsPageV3Schema: Schema<Page<Conversation>>;
interface ListConversationsV1 {
  readonly start_time?: TimeInput | undefined;
  readonly end_time?: TimeInput | undefined;
  readonly client_env?: ClientEnvironment | undefined;
  readonly channel?: string | readonly string[] | undefined;
  readonly variant_id?: string | undefined;
  readonly variant_name?: string | undefined;
  readonly in_progress?: boolean | undefined;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}
interface ListConversationsV2 extends ListConversationsV1 {
  readonly cursor?: string | undefined;
  readonly include_latency?: boolean | undefined;
  readonly include_context_state?: boolean | undefined;
  readonly include_turn_metadata?: boolean | undefined;
}
interface ListConversationsV3 extends ListConversationsV2 {
  readonly query_type?: 'transcript' | 'semantic' | undefined;
  readonly sample?: 'random' | undefined;
  readonly query?: string | undefined;
  readonly turn_type?: 'user' | 'agent' | undefined;
}
interface ConversationList<Query, Item> {
  readonly list: (query?: Query, options?: ProjectCallOptions) => Promise<Page<Item>>;
  readonly pages: (query?: Query, options?: ProjectCallOptions) => AsyncGenerator<Page<Item>, void, undefined>;
  readonly iterate: (query?: Query, options?: ProjectCallOptions) => AsyncGenerator<Item, void, undefined>;
}
interface ConversationsClient {
  readonly v1: ConversationList<ListConversationsV1, LegacyConversation>;
  readonly v2: ConversationList<ListConversationsV2, Conversation>;
  readonly v3: ConversationList<ListConversationsV3, Conversation>;
  readonly get: (conversationId: string, options?: ProjectCallOptions) => Promise<ConversationDetail>;
}
declare const conversationsListOperations: Readonly<Record<ConversationsVersion, Operation>>;
declare const conversationGetOperation: Operation;
interface EraseBody {
  readonly conversation_id?: string | undefined;
  readonly session_id?: string | undefined;
  readonly user_id?: string | undefined;
}
interface Erased {
  readonly erased: Readonly<Record<string, number>>;
}
declare const eraseBodySchema: Schema<EraseBody>;
declare const erasedSchema: Schema<Erased>;
declare const eraseOperation: Operation;
interface ErasureClient {
  readonly erase: (body: EraseBody, options?: ProjectCallOptions) => Promise<Erased>;
}
type EventIdLocation = 'headers' | 'querystring' | 'payload';
interface ExternalEventQuery {
  readonly event_id_location: EventIdLocation;
  readonly event_id_path: string;
  readonly account_id: string;
  readonly project_id: string;
}
type ExternalEventContent = {
  readonly json: unknown;
} | {
  readonly form: Readonly<Record<string, string>>;
} | {
  readonly xml: string;
} | {
  readonly text: string;
};
type ExternalEvent = {
  readonly event_id_location: 'headers' | 'querystring';
  readonly event_id_path: string;
  readonly event_id: string;
  readonly content: ExternalEventContent;
} | {
  readonly event_id_location: 'payload';
  readonly event_id_path: string;
  readonly content: ExternalEventContent;
};
declare const externalEventQuerySchema: Schema<ExternalEventQuery>;
declare const EXTERNAL_EVENT_PARAMETERS: readonly string[];
declare const EVENT_ID_MAX_CHARACTERS = 256;
declare const externalEventSendOperation: Operation;
interface ExternalEventsClient {
  readonly send: (event: ExternalEvent, options?: ProjectCallOptions) => Promise<void>;
}
interface HandoffStateQuery {
  readonly id?: string | undefined;
  readonly shared_id?: string | undefined;
}
interface HandoffState {
  readonly id: string;
  readonly shared_id?: string | undefined;
  readonly data: Readonly<Record<string, unknown>>;
}
declare const handoffStateQuerySchema: Schema<HandoffStateQuery>;
declare const handoffStateSchema: Schema<HandoffState>;
declare const handoffGetOperation: Operation;
interface HandoffClient {
  readonly get: (query: HandoffStateQuery, options?: ProjectCallOptions) => Promise<HandoffState>;
}
interface HostOptions {
  readonly region?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly monitorBaseUrl?: string | undefined;
  readonly allowHostWithoutRegion?: boolean | undefined;
}
interface VendorFields {
  readonly conversation: Readonly<Record<string, string>>;
  readonly conversationDetail: Readonly<Record<string, string>>;
  readonly voicePreview: Readonly<Record<string, string>>;
}
declare const VENDOR_FIELDS: VendorFields;
declare const CORRELATION_HEADERS: Readonly<Record<'neutral' | 'vendor', string>>;
type VendorNames = boolean | Readonly<Partial<Record<Family, boolean>>>;
declare function usesVendorNames(setting: VendorNames, family: Family): boolean;
declare function toNeutralFields(raw: unknown, names: Readonly<Record<string, string>>): unknown;
declare function toVendorFields(record: Readonly<Record<string, unknown>>, names: Readonly<Record<string, string>>): Readonly<Record<string, unknown>>;
interface NatterOptions extends HostOptions {
  readonly apiKey?: string | undefined;
  readonly monitorApiKey?: string | undefined;
  readonly apiKeys?: Readonly<Partial<Record<Family, string | undefined>>> | undefined;
  readonly connectorToken?: string | undefined;
  readonly accountId?: string | undefined;
  readonly projectId?: string | undefined;
  readonly fetch?: typeof fetch | undefined;
  readonly timeoutMs?: number | undefined;
  readonly retries?: number | undefined;
  readonly maxRetryDelayMs?: number | undefined;
  readonly vendorNames?: VendorNames | undefined;
  readonly clock?: Clock | undefined;
}
interface ReserveNumberBody {
  readonly attributes: Readonly<Record<string, unknown>>;
}
interface ReservedNumber {
  readonly dni: string;
}
declare const reserveNumberBodySchema: Schema<ReserveNumberBody>;
declare const reservedNumberSchema: Schema<ReservedNumber>;
declare const reserveNumberOperation: Operation;
interface NumbersClient {
  readonly reserve: (body: ReserveNumberBody, options?: CallOptions) => Promise<ReservedNumber>;
}
interface GenerateAudioBody {
  readonly text: string;
  readonly language: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly provider?: string | undefined;
  readonly storeOnObjectStorage?: boolean | undefined;
}
interface GeneratedAudio {
  readonly url: string;
  readonly text: string;
}
declare const PREVIEW_TEXT_MAX_CHARACTERS = 1000;
declare const generateAudioBodySchema: Schema<GenerateAudioBody>;
declare const generatedAudioSchema: Schema<GeneratedAudio>;
declare const generateAudioOperation: Operation;
interface VoiceClient {
  readonly generateAudio: (body: GenerateAudioBody, options?: ProjectCallOptions) => Promise<GeneratedAudio>;
}
type WebhookEventType = 'alerts.triggered' | 'alerts.resolved';
interface WebhookEndpointCreateBody {
  readonly name: string;
  readonly url: string;
  readonly event_types: readonly WebhookEventType[];
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly timeout_ms?: number | undefined;
  readonly enabled?: boolean | undefined;
}
type WebhookEndpointUpdateBody = { readonly [Field in keyof WebhookEndpointCreateBody]?: WebhookEndpointCreateBody[Field] | undefined; };
interface WebhookEndpoint {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly enabled: boolean;
  readonly event_types: readonly WebhookEventType[];
  readonly headers: Readonly<Record<string, string>>;
  readonly timeout_ms: number;
  readonly created_at: string;
  readonly updated_at: string;
}
interface SigningSecret {
  readonly signing_secret: string;
}
interface CreatedWebhookEndpoint extends WebhookEndpoint, SigningSecret {}
interface WebhookEndpointsQuery {
  readonly enabled?: boolean | undefined;
  readonly event_type?: WebhookEventType | undefined;
}
interface WebhookEndpointBodySchemas {
  readonly create: Schema<WebhookEndpointCreateBody>;
  readonly update: Schema<WebhookEndpointUpdateBody>;
}
declare const webhookEventTypeSchema: Schema<WebhookEventType>;
declare const webhookEndpointIdSchema: Schema<string>;
declare function webhookEndpointBodySchemas(allowsPrivateHosts: boolean): WebhookEndpointBodySchemas;
declare const webhookEndpointsQuerySchema: Schema<WebhookEndpointsQuery>;
declare const webhookEndpointSchema: Schema<WebhookEndpoint>;
declare const createdWebhookEndpointSchema: Schema<CreatedWebhookEndpoint>;
declare const signingSecretSchema: Schema<SigningSecret>;
interface WebhookEndpointsClient {
  readonly list: (query?: WebhookEndpointsQuery, options?: CallOptions) => Promise<readonly WebhookEndpoint[]>;
  readonly create: (body: WebhookEndpointCreateBody, options?: CallOptions) => Promise<CreatedWebhookEndpoint>;
  readonly get: (endpointId: string, options?: CallOptions) => Promise<WebhookEndpoint>;
  readonly update: (endpointId: string, body: WebhookEndpointUpdateBody, options?: CallOptions) => Promise<WebhookEndpoint>;
  readonly delete: (endpointId: string, options?: CallOptions) => Promise<void>;
  readonly rotateSecret: (endpointId: string, options?: CallOptions) => Promise<SigningSecret>;
}
interface Natter {
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
declare function createNatter(options: NatterOptions): Natter;
declare const CORRELATION_HEADER = "X-Correlation-Id";
declare function readErrorText(body: unknown): string | null;
interface ErrorAdvice {
  readonly isRetryable: boolean;
  readonly advice: string;
}
type LocalErrorCode =
    | 'INVALID_CONFIGURATION'
    | 'INVALID_ARGUMENT'
    | 'MISSING_CREDENTIAL'
    | 'NETWORK_ERROR'
    | 'TIMEOUT'
    | 'ABORTED'
    | 'REDIRECTED'
    | 'INVALID_RESPONSE';
type PlatformErrorCode =
    | 'AUTH_INVALID_API_KEY'
    | 'AUTH_INVALID_CONNECTOR_TOKEN'
    | 'USER_ACCESS_FORBIDDEN'
    | 'REGION_REQUIRED'
    | 'SCHEMA_VALIDATION_FAILED'
    | 'ACCOUNT_NOT_FOUND'
    | 'PROJECT_NOT_FOUND'
    | 'VARIANT_NOT_FOUND'
    | 'CONVERSATIONS_NOT_FOUND'
    | 'HANDOFF_STATE_NOT_FOUND'
    | 'NOTHING_TO_ERASE'
    | 'CHAT_DRAFT_NOT_EXIST'
    | 'CHAT_TIMEOUT'
    | 'ChatConversationEnded'
    | 'CHAT_DRAFT_DEPLOYMENT_FAILED'
    | 'GET_CONVERSATIONS_FILTER_PARSE_ERROR'
    | 'RESOURCE_LIMIT_EXCEEDED'
    | 'MONITORING_SYNC_FAILED'
    | 'SPEECH_PROVIDER_FAILED'
    | 'NOT_FOUND'
    | 'METHOD_NOT_ALLOWED'
    | 'PAYLOAD_TOO_LARGE'
    | 'RATE_LIMITED'
    | 'INTERNAL_ERROR'
    | 'NOT_IMPLEMENTED';
declare const LOCAL_ERROR_CODES: Readonly<Record<LocalErrorCode, ErrorAdvice>>;
declare const PLATFORM_ERROR_CODES: Readonly<Record<PlatformErrorCode, ErrorAdvice>>;
interface ErrorEnvelope {
  readonly success: false;
  readonly error: string;
  readonly error_message: string;
  readonly error_id: string;
  readonly error_code: string;
  readonly data: null;
}
interface ReservationError {
  readonly success: false;
  readonly error: string;
  readonly message: string;
  readonly error_id: string;
}
interface MonitoringError extends ErrorEnvelope {
  readonly message: string;
  readonly errors: readonly FieldError[];
}
declare const errorEnvelopeSchema: Schema<ErrorEnvelope>;
declare const reservationErrorSchema: Schema<ReservationError>;
declare const monitoringErrorSchema: Schema<MonitoringError>;
interface ConnectionCause extends Error {
  readonly host: string;
  readonly code: string | null;
}
declare function isPublicAddress(text: string): boolean;
declare function isLoopbackHost(hostname: string): boolean;
declare function isPrivateHost(hostname: string): boolean;
declare function toAddressKey(text: string): string | null;
declare function findClientAddress(connectionAddress: string | undefined, forwardedFor: string | null, trustedProxyHops: number): string | null;
declare const operations: readonly Operation[];
declare function fieldNames(schema: unknown): readonly string[];
declare function parseTime(value: string): number | null;
declare const accountIdSchema: Schema<string>;
declare const projectIdSchema: Schema<string>;
type WebhookAnswer = {
  readonly status: number;
} | {
  readonly error: 'timeout' | 'network';
};
type WebhookOutcome = 'delivered' | 'retry' | 'final';
interface WebhookScheduleEntry {
  readonly attempt: number;
  readonly delaySeconds: number;
  readonly sinceFirstSeconds: number;
}
declare const WEBHOOK_SCHEDULE: readonly WebhookScheduleEntry[];
declare function judgeWebhookAnswer(answer: WebhookAnswer): WebhookOutcome;
declare function nextWebhookDelayMs(attempt: number): number | null;
interface WebhookSignatureInput {
  readonly secret: string;
  readonly timestamp: number | string;
  readonly body: string | Uint8Array;
}
declare function signWebhook({ secret, timestamp, body }: WebhookSignatureInput): Promise<string>;
interface WebhookAlert {
  readonly id: string;
  readonly name: string;
  readonly project_id: string | null;
  readonly metric: AlertMetric;
  readonly operator: AlertOperator;
  readonly threshold_value: number;
  readonly current_value: number | null;
  readonly previous_state: AlertState | null;
}
type WebhookEvent = {
  readonly event_type: 'alerts.triggered';
  readonly alert: WebhookAlert & {
    readonly triggered_at: string;
  };
} | {
  readonly event_type: 'alerts.resolved';
  readonly alert: WebhookAlert & {
    readonly resolved_at: string;
  };
};
declare const webhookEventSchema: Schema<WebhookEvent>;
declare function readWebhookEvent(body: string | Uint8Array): WebhookEvent | null;
type WebhookHeaderStyle = 'neutral' | 'vendor' | 'both';
type WebhookHeader = 'timestamp' | 'signature' | 'eventId';
declare const WEBHOOK_HEADERS: Readonly<Record<'neutral' | 'vendor', Readonly<Record<WebhookHeader, string>>>>;
interface WebhookAttempt {
  readonly secret: string;
  readonly body: string | Uint8Array;
  readonly eventId: string;
  readonly nowMs: number;
  readonly style?: WebhookHeaderStyle;
}
declare function writeWebhookHeaders(attempt: WebhookAttempt): Promise<Readonly<Record<string, string>>>;
type HeadersInput = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
interface WebhookDelivery {
  readonly body: string | Uint8Array;
  readonly headers: HeadersInput;
  readonly secret: string | readonly string[];
  readonly toleranceSeconds?: number;
  readonly nowMs?: number;
}
type WebhookVerification = {
  readonly isValid: true;
  readonly eventId: string | null;
  readonly timestamp: number;
  readonly event: WebhookEvent | null;
} | {
  readonly isValid: false;
  readonly reason: 'timestamp' | 'stale' | 'signature';
};
declare const WEBHOOK_TOLERANCE_SECONDS = 300;
declare function verifyWebhook(delivery: WebhookDelivery): Promise<WebhookVerification>;
declare const webhookEndpointsListOperation: Operation;
declare const webhookEndpointCreateOperation: Operation;
declare const webhookEndpointGetOperation: Operation;
declare const webhookEndpointUpdateOperation: Operation;
declare const webhookEndpointDeleteOperation: Operation;
declare const webhookSecretRotateOperation: Operation;
export {
  ATTRIBUTES_MAX_BYTES,
  type ActiveAlert,
  type AlertMetric,
  type AlertOperator,
  type AlertRule,
  type AlertRuleCreateBody,
  type AlertRuleUpdateBody,
  type AlertRulesClient,
  type AlertRulesQuery,
  type AlertState,
  type AlertWindow,
  type AlertsClient,
  type AlertsQuery,
  CHAT_MESSAGE_MAX_BYTES,
  CONCURRENCY_MAX_RANGE_MS,
  CONVERSATIONS_LIMIT,
  CORRELATION_HEADER,
  CORRELATION_HEADERS,
  type CallOptions,
  type ChatChannel,
  type ChatClient,
  type ChatCloseBody,
  type ChatClosed,
  type ChatCreateBody,
  type ChatCreated,
  type ChatHandoff,
  type ChatReply,
  type ChatRespondBody,
  type ClientEnvironment,
  type Clock,
  type Concurrency,
  type ConcurrencyClient,
  type ConcurrencyInterval,
  type ConcurrencyQuery,
  type ConcurrencyRequest,
  type ConnectionCause,
  type Conversation,
  type ConversationDetail,
  type ConversationList,
  type ConversationTurn,
  type ConversationsClient,
  type ConversationsQuery,
  type ConversationsVersion,
  type CreatedWebhookEndpoint,
  EVENT_ID_MAX_CHARACTERS,
  EXTERNAL_EVENT_PARAMETERS,
  type EraseBody,
  type Erased,
  type ErasureClient,
  type ErrorAdvice,
  type ErrorEnvelope,
  type ErrorShape,
  type EventIdLocation,
  type ExternalEvent,
  type ExternalEventContent,
  type ExternalEventQuery,
  type ExternalEventsClient,
  type Family,
  type FieldError,
  type GenerateAudioBody,
  type GeneratedAudio,
  type HandoffClient,
  type HandoffState,
  type HandoffStateQuery,
  type HeadersInput,
  type HostOptions,
  LOCAL_ERROR_CODES,
  type LegacyConversation,
  type LegacyTurn,
  type ListConversationsV1,
  type ListConversationsV2,
  type ListConversationsV3,
  type LocalErrorCode,
  type MonitoringError,
  type Natter,
  NatterError,
  type NatterErrorInit,
  type NatterOptions,
  type NumbersClient,
  type OneOrMore,
  type Operation,
  type OperationBody,
  type OperationSuccess,
  PLATFORM_ERROR_CODES,
  PREVIEW_TEXT_MAX_CHARACTERS,
  type Page,
  type PageEnd,
  type Parsed,
  type PlatformErrorCode,
  type ProjectCallOptions,
  type QueryValue,
  type Repeatability,
  type ReservationError,
  type ReserveNumberBody,
  type ReservedNumber,
  type Schema,
  type Service,
  type SigningSecret,
  type TimeInput,
  VENDOR_FIELDS,
  type VendorFields,
  type VendorNames,
  type VoiceClient,
  WEBHOOK_HEADERS,
  WEBHOOK_SCHEDULE,
  WEBHOOK_TOLERANCE_SECONDS,
  type WebhookAlert,
  type WebhookAnswer,
  type WebhookAttempt,
  type WebhookDelivery,
  type WebhookEndpoint,
  type WebhookEndpointBodySchemas,
  type WebhookEndpointCreateBody,
  type WebhookEndpointUpdateBody,
  type WebhookEndpointsClient,
  type WebhookEndpointsQuery,
  type WebhookEvent,
  type WebhookEventType,
  type WebhookHeader,
  type WebhookHeaderStyle,
  type WebhookOutcome,
  type WebhookScheduleEntry,
  type WebhookSignatureInput,
  type WebhookVerification,
  accountIdSchema,
  activeAlertSchema,
  alertMetricSchema,
  alertOperatorSchema,
  alertRuleCreateBodySchema,
  alertRuleCreateOperation,
  alertRuleDeleteOperation,
  alertRuleGetOperation,
  alertRuleIdSchema,
  alertRuleSchema,
  alertRuleUpdateBodySchema,
  alertRuleUpdateOperation,
  alertRulesListOperation,
  alertRulesQuerySchema,
  alertStateSchema,
  alertWindowSchema,
  alertsListOperation,
  alertsQuerySchema,
  canonicalChannel,
  chatCloseBodySchema,
  chatCloseOperation,
  chatClosedSchema,
  chatCreateBodySchema,
  chatCreateOperation,
  chatCreatedSchema,
  chatReplySchema,
  chatRespondBodySchema,
  chatRespondOperation,
  concurrencyGetOperation,
  concurrencyQuerySchema,
  concurrencySchema,
  conversationDetailSchema,
  conversationGetOperation,
  conversationSchema,
  conversationTurnSchema,
  conversationsListOperations,
  conversationsPageV1Schema,
  conversationsPageV2Schema,
  conversationsPageV3Schema,
  conversationsQuerySchema,
  createNatter,
  createdWebhookEndpointSchema,
  eraseBodySchema,
  eraseOperation,
  erasedSchema,
  errorEnvelopeSchema,
  errorText,
  externalEventQuerySchema,
  externalEventSendOperation,
  fieldNames,
  findClientAddress,
  generateAudioBodySchema,
  generateAudioOperation,
  generatedAudioSchema,
  handoffGetOperation,
  handoffStateQuerySchema,
  handoffStateSchema,
  isLoopbackHost,
  isNatterError,
  isPrivateHost,
  isPublicAddress,
  judgeWebhookAnswer,
  legacyConversationSchema,
  monitoringErrorSchema,
  nextWebhookDelayMs,
  operations,
  parseBody,
  parseQuery,
  parseTime,
  projectIdSchema,
  readErrorText,
  readWebhookEvent,
  reservationErrorSchema,
  reserveNumberBodySchema,
  reserveNumberOperation,
  reservedNumberSchema,
  signWebhook,
  signingSecretSchema,
  toAddressKey,
  toNeutralFields,
  toVendorFields,
  usesVendorNames,
  verifyWebhook,
  webhookEndpointBodySchemas,
  webhookEndpointCreateOperation,
  webhookEndpointDeleteOperation,
  webhookEndpointGetOperation,
  webhookEndpointIdSchema,
  webhookEndpointSchema,
  webhookEndpointUpdateOperation,
  webhookEndpointsListOperation,
  webhookEndpointsQuerySchema,
  webhookEventSchema,
  webhookEventTypeSchema,
  webhookSecretRotateOperation,
  writeWebhookHeaders,
};
