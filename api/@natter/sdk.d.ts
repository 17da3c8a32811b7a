import * as v from "valibot";
interface Clock {
  readonly now: () => number;
  readonly random: () => number;
  readonly startTimer: (delayMs: number, run: () => void) => () => void;
}
type Schema<Output> = v.GenericSchema<unknown, Output>;
type Fields<Entries extends v.ObjectEntries> = Readonly<v.InferOutput<v.ObjectSchema<Entries, undefined>>>;
type AnyFields<Entries extends v.ObjectEntries> = { readonly [Name in keyof Entries]?: v.InferOutput<Entries[Name]> | undefined; };
type Leaving<Value, Names extends keyof Value> = Omit<Value, Names> & { readonly [Name in Names]?: Value[Name] | undefined; };
type GivenFields<Entries extends v.ObjectEntries> = Leaving<{ readonly [Name in keyof Entries]: Given<Entries[Name]>; }, OptionalName<Entries>>;
type OptionalName<Entries extends v.ObjectEntries> = { [Name in keyof Entries]: Entries[Name] extends {
  readonly type: 'optional';
} ? Name : never; }[keyof Entries];
type Given<Entry extends v.ObjectEntries[string]> = unknown extends v.InferInput<Entry> ? v.InferOutput<Entry> : v.InferInput<Entry>;
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
  readonly takesIdempotencyKey?: boolean;
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
interface HostOptions {
  readonly region?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly monitorBaseUrl?: string | undefined;
  readonly allowHostWithoutRegion?: boolean | undefined;
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
type QueryValue = string | number | boolean | Date | readonly string[] | null | undefined;
interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  readonly retries?: number | undefined;
  readonly correlationId?: string | undefined;
}
interface IdempotentCall {
  readonly idempotencyKey?: string | undefined;
}
interface ProjectCallOptions extends CallOptions {
  readonly accountId?: string | undefined;
  readonly projectId?: string | undefined;
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
declare const METRICS: readonly [
  'turn_latency_p50',
  'turn_latency_p95',
  'api_errors',
  'function_errors',
  'call_crashes',
  'call_volume',
];
type AlertMetric = (typeof METRICS)[number] | 'desk_wait_time' | 'desk_people_available';
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
declare const alertMetricSchema: Schema<AlertMetric>;
declare const alertOperatorSchema: Schema<AlertOperator>;
declare const alertWindowSchema: Schema<AlertWindow>;
declare const alertStateSchema: Schema<AlertState>;
declare const alertRuleIdSchema: Schema<string>;
declare const settings$1: {
  name: Schema<string>;
  project_id: Schema<string | null>;
  metric: Schema<AlertMetric>;
  operator: Schema<AlertOperator>;
  threshold_value: Schema<number>;
  window_duration: Schema<AlertWindow>;
  enabled: Schema<boolean>;
};
declare const identity$1: {
  id: Schema<string>;
};
declare const state$1: {
  current_state: Schema<AlertState | null>;
  since: Schema<string | null>;
  last_evaluated_at: Schema<string | null>;
  current_value: Schema<number | null>;
  created_at: Schema<string>;
  updated_at: Schema<string>;
};
declare const filters$2: {
  project_id: v.OptionalSchema<Schema<string>, undefined>;
  metric: v.OptionalSchema<Schema<AlertMetric>, undefined>;
  enabled: v.OptionalSchema<Schema<boolean>, undefined>;
  state: v.OptionalSchema<Schema<AlertState>, undefined>;
};
interface AlertRuleCreateBody extends Leaving<Fields<typeof settings$1>, 'project_id' | 'enabled'> {}
interface AlertRuleUpdateBody extends AnyFields<typeof settings$1> {}
interface AlertRule extends Fields<typeof identity$1>, Fields<typeof settings$1>, Fields<typeof state$1> {}
interface AlertRulesQuery extends Fields<typeof filters$2> {}
declare const alertRuleCreateBodySchema: Schema<AlertRuleCreateBody>;
declare const alertRuleUpdateBodySchema: Schema<AlertRuleUpdateBody>;
declare const alertRulesQuerySchema: Schema<AlertRulesQuery>;
declare const alertRuleSchema: Schema<AlertRule>;
declare const alertRulesListOperation: Operation;
declare const alertRuleCreateOperation: Operation;
declare const alertRuleGetOperation: Operation;
declare const alertRuleUpdateOperation: Operation;
declare const alertRuleDeleteOperation: Operation;
interface AlertRulesClient {
  readonly list: (query?: AlertRulesQuery, options?: CallOptions) => Promise<readonly AlertRule[]>;
  readonly create: (body: AlertRuleCreateBody, options?: CallOptions) => Promise<AlertRule>;
  readonly get: (ruleId: string, options?: CallOptions) => Promise<AlertRule>;
  readonly update: (ruleId: string, body: AlertRuleUpdateBody, options?: CallOptions) => Promise<AlertRule>;
  readonly delete: (ruleId: string, options?: CallOptions) => Promise<void>;
}
declare const alert$1: {
  alert_rule_id: Schema<string>;
  name: Schema<string>;
  project_id: Schema<string | null>;
  metric: Schema<AlertMetric>;
  operator: Schema<AlertOperator>;
  threshold_value: Schema<number>;
  window_duration: Schema<AlertWindow>;
  since: Schema<string>;
  last_evaluated_at: Schema<string | null>;
  current_value: Schema<number | null>;
};
declare const filters$1: {
  project_id: v.OptionalSchema<Schema<string>, undefined>;
  metric: v.OptionalSchema<Schema<AlertMetric>, undefined>;
  enabled: v.OptionalSchema<Schema<boolean>, undefined>;
};
interface ActiveAlert extends Fields<typeof alert$1> {}
interface AlertsQuery extends Fields<typeof filters$1> {}
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
declare const CHAT_MESSAGE_MAX_BYTES = 131072;
declare const ATTRIBUTES_MAX_BYTES = 65536;
declare const conversation$1: {
  conversation_id: Schema<string>;
};
declare const languages: {
  asr_lang_code: v.OptionalSchema<Schema<string>, undefined>;
  tts_lang_code: v.OptionalSchema<Schema<string>, undefined>;
};
declare const creation: {
  variant_id: v.OptionalSchema<Schema<string>, undefined>;
  integration_attributes: v.OptionalSchema<Schema<Readonly<Record<string, unknown>>>, undefined>;
  channel: v.OptionalSchema<Schema<ChatChannel>, undefined>;
};
declare const said: {
  message: v.OptionalSchema<Schema<string>, undefined>;
  metadata: v.OptionalSchema<Schema<Readonly<Record<string, unknown>>>, undefined>;
};
declare const handoff: {
  destination: Schema<string>;
  reason: Schema<string>;
};
declare const created: {
  response: Schema<string>;
};
interface ChatCreateBody extends Fields<typeof creation>, Fields<typeof languages> {}
interface ChatRespondBody extends Fields<typeof conversation$1>, Fields<typeof said>, Fields<typeof languages> {}
interface ChatCloseBody extends Fields<typeof conversation$1> {}
interface ChatCreated extends Fields<typeof conversation$1>, Fields<typeof created> {}
interface ChatHandoff extends Fields<typeof handoff> {}
declare const reply: {
  response: Schema<string>;
  end_conversation: Schema<boolean>;
  handoff: v.OptionalSchema<Schema<ChatHandoff>, undefined>;
};
declare const closed: {
  success: Schema<boolean>;
};
interface ChatReply extends Fields<typeof conversation$1>, Fields<typeof reply> {}
interface ChatClosed extends Fields<typeof closed> {}
declare const chatCreateBodySchema: Schema<ChatCreateBody>;
declare const chatRespondBodySchema: Schema<ChatRespondBody>;
declare const chatCloseBodySchema: Schema<ChatCloseBody>;
declare const chatCreatedSchema: Schema<ChatCreated>;
declare const chatReplySchema: Schema<ChatReply>;
declare const chatClosedSchema: Schema<ChatClosed>;
declare const chatCreateOperation: Operation;
declare const chatRespondOperation: Operation;
declare const chatCloseOperation: Operation;
interface ChatClient {
  readonly create: (body?: ChatCreateBody, options?: ProjectCallOptions & IdempotentCall) => Promise<ChatCreated>;
  readonly respond: (body: ChatRespondBody, options?: ProjectCallOptions & IdempotentCall) => Promise<ChatReply>;
  readonly close: (body: ChatCloseBody, options?: ProjectCallOptions & IdempotentCall) => Promise<ChatClosed>;
}
type TimeInput = string | Date;
type ConversationsVersion = 'v1' | 'v2' | 'v3';
type ClientEnvironment = 'sandbox' | 'pre-release' | 'live';
declare const CONVERSATIONS_LIMIT: Readonly<Record<'min' | 'max' | 'default', number>>;
declare const clientEnvironmentSchema: Schema<ClientEnvironment>;
declare const sinceV1: {
  start_time: v.OptionalSchema<v.GenericSchema<TimeInput, number>, undefined>;
  end_time: v.OptionalSchema<v.GenericSchema<TimeInput, number>, undefined>;
  client_env: v.OptionalSchema<Schema<ClientEnvironment>, "live">;
  channel: v.OptionalSchema<v.GenericSchema<string | readonly string[], readonly string[]>, undefined>;
  variant_id: v.OptionalSchema<Schema<string>, undefined>;
  variant_name: v.OptionalSchema<Schema<string>, undefined>;
  in_progress: v.OptionalSchema<Schema<boolean>, undefined>;
  limit: v.OptionalSchema<Schema<number>, number>;
  offset: v.OptionalSchema<Schema<number>, undefined>;
};
declare const sinceV2: {
  cursor: v.OptionalSchema<Schema<string>, undefined>;
  include_latency: v.OptionalSchema<Schema<boolean>, false>;
  include_context_state: v.OptionalSchema<Schema<boolean>, false>;
  include_turn_metadata: v.OptionalSchema<Schema<boolean>, false>;
};
declare const sinceV3: {
  query_type: v.OptionalSchema<Schema<"semantic" | "transcript">, undefined>;
  sample: v.OptionalSchema<Schema<"random">, undefined>;
  query: v.OptionalSchema<Schema<string>, undefined>;
  turn_type: v.OptionalSchema<Schema<"agent" | "user">, undefined>;
};
interface ListConversationsV1 extends GivenFields<typeof sinceV1> {}
interface ListConversationsV2 extends ListConversationsV1, GivenFields<typeof sinceV2> {}
interface ListConversationsV3 extends ListConversationsV2, GivenFields<typeof sinceV3> {}
interface ValidQuery extends Fields<typeof sinceV1>, Fields<typeof sinceV2>, Fields<typeof sinceV3> {}
interface ConversationsQuery extends Omit<ValidQuery, 'channel' | 'offset'> {
  readonly channel: readonly string[];
  readonly offset: number;
}
declare function conversationsQuerySchema(version: ConversationsVersion, { hasCursor }?: {
  readonly hasCursor?: boolean;
}): Schema<ConversationsQuery>;
declare function canonicalChannel(channel: string): string;
declare const query$2: {
  start_time: v.GenericSchema<TimeInput, number>;
  end_time: v.GenericSchema<TimeInput, number>;
  client_env: v.OptionalSchema<Schema<ClientEnvironment>, "live">;
  variant_id: v.OptionalSchema<Schema<string>, undefined>;
  variant_name: v.OptionalSchema<Schema<string>, undefined>;
  language: v.OptionalSchema<Schema<string>, undefined>;
  phone_number: v.OptionalSchema<v.SchemaWithPipe<readonly [Schema<string>, v.CheckAction<string, "must not begin with a space; write its \"+\" as %2B">]>, undefined>;
  slice_by: v.OptionalSchema<Schema<"language" | "phone_number" | "variant">, undefined>;
};
declare const interval: {
  time: Schema<string>;
  max_concurrent_conversations: Schema<number>;
  variant_id: v.OptionalSchema<Schema<string>, undefined>;
  variant_name: v.OptionalSchema<Schema<string>, undefined>;
  language: v.OptionalSchema<Schema<string>, undefined>;
  phone_number: v.OptionalSchema<Schema<string>, undefined>;
};
interface ConcurrencyInterval extends Fields<typeof interval> {}
declare const series: {
  account_id: Schema<string>;
  project_id: Schema<string>;
  intervals: Schema<readonly ConcurrencyInterval[]>;
};
interface ConcurrencyRequest extends GivenFields<typeof query$2> {}
interface ConcurrencyQuery extends Fields<typeof query$2> {}
interface Concurrency extends Fields<typeof series> {}
declare const CONCURRENCY_MAX_RANGE_MS = 604800000;
declare const concurrencyQuerySchema: Schema<ConcurrencyQuery>;
declare const concurrencySchema: Schema<Concurrency>;
declare const concurrencyGetOperation: Operation;
interface ConcurrencyClient {
  readonly get: (request: ConcurrencyRequest, options?: ProjectCallOptions) => Promise<Concurrency>;
}
type OneOrMore = string | readonly string[];
declare const turn: {
  user_input: Schema<string>;
  user_input_dtmf: Schema<string>;
  user_input_datetime: Schema<string>;
  barge_in: Schema<boolean>;
  agent_response: Schema<string>;
  agent_response_datetime: Schema<string>;
  intents: Schema<readonly string[]>;
  entities: Schema<Readonly<Record<string, OneOrMore>>>;
  is_ood: Schema<boolean>;
  is_silence: Schema<boolean>;
  translated_user_input: Schema<string>;
  english_agent_response: Schema<string>;
  latency: v.OptionalSchema<Schema<number>, undefined>;
  context_state: v.OptionalSchema<Schema<Readonly<Record<string, unknown>>>, undefined>;
  metadata: v.OptionalSchema<Schema<Readonly<Record<string, unknown>>>, undefined>;
};
interface ConversationTurn extends Fields<typeof turn> {}
declare const conversationTurnSchema: Schema<ConversationTurn>;
declare const conversation: {
  id: Schema<string>;
  account_id: Schema<string>;
  project_id: Schema<string>;
  variant_id: Schema<string>;
  variant_name: Schema<string>;
  environment: Schema<string>;
  started_at: Schema<string>;
  channel: Schema<string>;
  in_progress: Schema<boolean>;
  from_number: Schema<string>;
  to_number: Schema<string>;
  num_turns: Schema<number>;
  total_duration: Schema<number>;
  platform_duration: Schema<number>;
  handoff: Schema<boolean>;
  handoff_reason: Schema<string>;
  handoff_destination: Schema<string>;
  num_silences: Schema<number>;
  num_ood: Schema<number>;
  metrics: Schema<Readonly<Record<string, OneOrMore>>>;
  state: Schema<Readonly<Record<string, unknown>>>;
  turns: Schema<readonly ConversationTurn[]>;
};
interface Conversation extends Fields<typeof conversation> {}
type LegacyTurn = Lenient<ConversationTurn>;
type LegacyConversation = Lenient<Omit<Conversation, 'turns'>> & {
  readonly turns?: readonly LegacyTurn[] | null | undefined;
};
type Lenient<Record> = { readonly [Name in keyof Record]?: Record[Name] | null | undefined; };
declare const conversationSchema: Schema<Conversation>;
declare const legacyConversationSchema: Schema<LegacyConversation>;
declare const detail: {
  conversationId: Schema<string>;
  accountId: Schema<string>;
  projectId: Schema<string>;
  createdAt: v.OptionalSchema<Schema<string>, undefined>;
  startedAt: v.OptionalSchema<Schema<string>, undefined>;
  finishedAt: v.OptionalSchema<Schema<string>, undefined>;
  channel: v.OptionalSchema<Schema<string>, undefined>;
  fromNumber: v.OptionalSchema<Schema<string>, undefined>;
  toNumber: v.OptionalSchema<Schema<string>, undefined>;
  language: v.OptionalSchema<Schema<string>, undefined>;
  variantId: v.OptionalSchema<Schema<string>, undefined>;
  clientEnv: v.OptionalSchema<Schema<string>, undefined>;
  totalDuration: v.OptionalSchema<Schema<number>, undefined>;
  platformDuration: v.OptionalSchema<Schema<number>, undefined>;
  duration: v.OptionalSchema<Schema<number>, undefined>;
  inProgress: v.OptionalSchema<Schema<boolean>, undefined>;
  handoff: v.OptionalSchema<Schema<boolean>, undefined>;
  handoffDestination: v.OptionalSchema<Schema<string>, undefined>;
  handoffReason: v.OptionalSchema<Schema<string>, undefined>;
  direction: v.OptionalSchema<Schema<string>, undefined>;
  tags: v.OptionalSchema<Schema<readonly string[]>, undefined>;
  qualityScore: v.OptionalSchema<Schema<number>, undefined>;
  shortSummary: v.OptionalSchema<Schema<string>, undefined>;
  deploymentId: v.OptionalSchema<Schema<string>, undefined>;
  note: v.OptionalSchema<Schema<string>, undefined>;
  audioUrl: v.OptionalSchema<Schema<string>, undefined>;
  turns: v.OptionalSchema<Schema<readonly ConversationTurn[]>, undefined>;
  metrics: v.OptionalSchema<Schema<Readonly<Record<string, OneOrMore>>>, undefined>;
  functionEvents: v.OptionalSchema<v.UnionSchema<[Schema<Readonly<Record<string, unknown>>>, Schema<readonly unknown[]>], "must be an object or a list">, undefined>;
};
interface ConversationDetail extends Fields<typeof detail> {}
declare const conversationDetailSchema: Schema<ConversationDetail>;
declare const end: {
  descriptions: Schema<Readonly<{
    conversations: Readonly<Record<string, string>>;
  }>>;
  next_offset: v.OptionalSchema<Schema<number>, undefined>;
  cursor: v.OptionalSchema<Schema<string | null>, undefined>;
};
interface PageEnd extends Fields<typeof end> {}
interface Page<Item> extends PageEnd {
  readonly conversations: readonly Item[];
}
declare const conversationsPageV1Schema: Schema<Omit<Page<LegacyConversation>, 'descriptions'>>;
declare const conversationsPageV2Schema: Schema<Page<Conversation>>;
declare const conversationsPageV3Schema: Schema<Page<Conversation>>;
declare const conversationsListOperations: Readonly<Record<ConversationsVersion, Operation>>;
declare const conversationGetOperation: Operation;
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
declare const body$3: {
  conversation_id: v.OptionalSchema<Schema<string>, undefined>;
  session_id: v.OptionalSchema<Schema<string>, undefined>;
  user_id: v.OptionalSchema<Schema<string>, undefined>;
};
declare const result: {
  erased: Schema<Readonly<Record<string, number>>>;
};
interface EraseBody extends Fields<typeof body$3> {}
interface Erased extends Fields<typeof result> {}
declare const eraseBodySchema: Schema<EraseBody>;
declare const erasedSchema: Schema<Erased>;
declare const eraseOperation: Operation;
interface ErasureClient {
  readonly erase: (body: EraseBody, options?: ProjectCallOptions) => Promise<Erased>;
}
type EventIdLocation = 'headers' | 'querystring' | 'payload';
declare const query$1: {
  event_id_location: Schema<EventIdLocation>;
  event_id_path: Schema<string>;
  account_id: Schema<string>;
  project_id: Schema<string>;
};
interface ExternalEventQuery extends Fields<typeof query$1> {}
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
  readonly send: (event: ExternalEvent, options?: ProjectCallOptions & IdempotentCall) => Promise<void>;
}
declare const query: {
  id: v.OptionalSchema<Schema<string>, undefined>;
  shared_id: v.OptionalSchema<Schema<string>, undefined>;
};
declare const state: {
  id: Schema<string>;
  shared_id: v.OptionalSchema<Schema<string>, undefined>;
  data: Schema<Readonly<Record<string, unknown>>>;
};
interface HandoffStateQuery extends Fields<typeof query> {}
interface HandoffState extends Fields<typeof state> {}
declare const handoffStateQuerySchema: Schema<HandoffStateQuery>;
declare const handoffStateSchema: Schema<HandoffState>;
declare const handoffGetOperation: Operation;
interface HandoffClient {
  readonly get: (query: HandoffStateQuery, options?: ProjectCallOptions) => Promise<HandoffState>;
}
declare const body$2: {
  attributes: Schema<Readonly<Record<string, unknown>>>;
};
declare const reserved: {
  dni: Schema<string>;
};
interface ReserveNumberBody extends Fields<typeof body$2> {}
interface ReservedNumber extends Fields<typeof reserved> {}
declare const reserveNumberBodySchema: Schema<ReserveNumberBody>;
declare const reservedNumberSchema: Schema<ReservedNumber>;
declare const reserveNumberOperation: Operation;
interface NumbersClient {
  readonly reserve: (body: ReserveNumberBody, options?: CallOptions & IdempotentCall) => Promise<ReservedNumber>;
}
declare const PREVIEW_TEXT_MAX_CHARACTERS = 1000;
declare const body$1: {
  text: Schema<string>;
  language: Schema<string>;
  config: Schema<Readonly<Record<string, unknown>>>;
  provider: v.OptionalSchema<Schema<string>, undefined>;
  storeOnObjectStorage: v.OptionalSchema<Schema<boolean>, undefined>;
};
declare const audio: {
  url: Schema<string>;
  text: Schema<string>;
};
interface GenerateAudioBody extends Fields<typeof body$1> {}
interface GeneratedAudio extends Fields<typeof audio> {}
declare const generateAudioBodySchema: Schema<GenerateAudioBody>;
declare const generatedAudioSchema: Schema<GeneratedAudio>;
declare const generateAudioOperation: Operation;
interface VoiceClient {
  readonly generateAudio: (body: GenerateAudioBody, options?: ProjectCallOptions) => Promise<GeneratedAudio>;
}
type WebhookEventType = 'alerts.triggered' | 'alerts.resolved';
declare const webhookEventTypeSchema: Schema<WebhookEventType>;
declare const webhookEndpointIdSchema: Schema<string>;
declare const settings: {
  name: Schema<string>;
  url: Schema<string>;
  event_types: Schema<readonly WebhookEventType[]>;
  headers: Schema<Readonly<Record<string, string>>>;
  timeout_ms: Schema<number>;
  enabled: Schema<boolean>;
};
interface WebhookEndpointCreateBody extends Leaving<Fields<typeof settings>, 'headers' | 'timeout_ms' | 'enabled'> {}
interface WebhookEndpointUpdateBody extends AnyFields<typeof settings> {}
interface WebhookEndpointBodySchemas {
  readonly create: Schema<WebhookEndpointCreateBody>;
  readonly update: Schema<WebhookEndpointUpdateBody>;
}
declare function webhookEndpointBodySchemas(allowsPrivateHosts: boolean): WebhookEndpointBodySchemas;
declare const identity: {
  id: Schema<string>;
};
declare const times: {
  created_at: Schema<string>;
  updated_at: Schema<string>;
};
declare const secret$1: {
  signing_secret: Schema<string>;
};
declare const filters: {
  enabled: v.OptionalSchema<Schema<boolean>, undefined>;
  event_type: v.OptionalSchema<Schema<WebhookEventType>, undefined>;
};
interface WebhookEndpoint extends Fields<typeof identity>, Fields<typeof settings>, Fields<typeof times> {}
interface SigningSecret extends Fields<typeof secret$1> {}
interface CreatedWebhookEndpoint extends WebhookEndpoint, SigningSecret {}
interface WebhookEndpointsQuery extends Fields<typeof filters> {}
declare const webhookEndpointsQuerySchema: Schema<WebhookEndpointsQuery>;
declare const webhookEndpointSchema: Schema<WebhookEndpoint>;
declare const createdWebhookEndpointSchema: Schema<CreatedWebhookEndpoint>;
declare const signingSecretSchema: Schema<SigningSecret>;
declare const webhookEndpointsListOperation: Operation;
declare const webhookEndpointCreateOperation: Operation;
declare const webhookEndpointGetOperation: Operation;
declare const webhookEndpointUpdateOperation: Operation;
declare const webhookEndpointDeleteOperation: Operation;
declare const webhookSecretRotateOperation: Operation;
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
    | 'UNSUPPORTED_MEDIA_TYPE'
    | 'RATE_LIMITED'
    | 'IDEMPOTENCY_KEY_IN_USE'
    | 'IDEMPOTENCY_KEY_REUSED'
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
declare function readRetryAfter(value: string | null, nowMs: number): number | null;
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
declare function fieldDescriptions(schema: unknown): Readonly<Record<string, string>>;
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
declare const alert: {
  id: Schema<string>;
  name: Schema<string>;
  project_id: Schema<string | null>;
  metric: Schema<AlertMetric>;
  operator: Schema<AlertOperator>;
  threshold_value: Schema<number>;
  current_value: Schema<number | null>;
  previous_state: Schema<AlertState | null>;
};
interface WebhookAlert extends Fields<typeof alert> {}
type WebhookEvent = {
  readonly event_id?: string | undefined;
} & ({
  readonly event_type: 'alerts.triggered';
  readonly alert: WebhookAlert & {
    readonly triggered_at: string;
  };
} | {
  readonly event_type: 'alerts.resolved';
  readonly alert: WebhookAlert & {
    readonly resolved_at: string;
  };
});
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
  type IdempotentCall,
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
  clientEnvironmentSchema,
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
  fieldDescriptions,
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
  readRetryAfter,
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
