import {
  Service,
  VendorNames,
  WebhookHeaderStyle,
} from "@natter/sdk";
import {
  DestinationStream,
  Logger,
} from "pino";
interface Clock {
  now(): number;
  setTimer(callback: () => void, delayMs: number): () => void;
}
type ConversationSettings = {
  readonly showTranscripts: boolean;
  readonly isStreaming: boolean;
  readonly whitelist: readonly string[] | null;
  readonly responseMetrics: readonly string[] | null;
};
type RetentionDays = {
  readonly events: number | null;
  readonly turns: number | null;
  readonly conversations: number | null;
  readonly audio: number | null;
};
type Variant = {
  readonly id: string;
  readonly name: string;
  readonly agent: string | null;
  readonly weight: number | null;
};
type ConnectorSettings = {
  readonly eventVocabulary: 'auto' | 'neutral' | 'poly';
  readonly enforceOrigin: boolean;
  readonly onHandoffFailure: 'rejoin' | 'stay' | 'end';
  readonly handoffTimeoutSeconds: number;
  readonly handoff: string | null;
  readonly handoffRoute: string | null;
  readonly language: string;
  readonly idleWarning: boolean;
  readonly csat: boolean;
  readonly csatScale: 'faces' | 'stars';
  readonly receipts: boolean;
  readonly agent: string | null;
};
declare const DEFAULT_CONNECTOR_SETTINGS: ConnectorSettings;
interface AgentHistoryEntry {
  readonly author: 'user' | 'agent' | 'live_agent';
  readonly text: string;
}
interface AgentExternalEvent {
  readonly name: string;
  readonly id: string;
  readonly createdAt: string;
  readonly contentType: string;
  readonly data: unknown;
  readonly sendToLlm: boolean;
}
interface AgentTurn {
  readonly kind: 'greeting' | 'message' | 'event';
  readonly text: string;
  readonly history: readonly AgentHistoryEntry[];
  readonly language: string;
  readonly state: Readonly<Record<string, unknown>>;
  readonly contextVault: Readonly<Record<string, string | number | boolean | null>>;
  readonly pageContext?: Readonly<Record<string, string>>;
  readonly conversationId: string;
  readonly projectId?: string;
  readonly integrationAttributes?: Readonly<Record<string, unknown>>;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly variantId?: string;
  readonly signal: AbortSignal;
  readonly event?: {
    readonly name: string;
    readonly received: AgentExternalEvent | null;
  };
  readonly externalEvents?: readonly AgentExternalEvent[];
}
interface AgentAttachment {
  readonly content_type: 'ATTACHMENT_CONTENT_TYPE_URL' | 'ATTACHMENT_CONTENT_TYPE_IMAGE';
  readonly content_url: string | null;
  readonly title: string | null;
  readonly preview_image_url: string | null;
  readonly call_to_action_text: string | null;
}
interface AgentSuggestion {
  readonly message_text: string;
  readonly payload: string | null;
}
interface AgentCallAction {
  readonly title: string;
  readonly contact_number: string;
}
type HandoffReason = 'COMPLEX_QUERY' | 'AGENT_DECISION' | 'POLICY';
interface TextAction {
  readonly type: 'text';
  readonly text: string;
}
interface HandoffAction {
  readonly type: 'handoff';
  readonly destination: string;
  readonly reason: HandoffReason;
  readonly why?: string;
  readonly managed: 'server' | 'client';
  readonly queueName?: string;
  readonly deskHours?: string;
  readonly data?: Readonly<Record<string, unknown>>;
}
interface WaitForEventAction {
  readonly type: 'wait_for_event';
  readonly name: string;
  readonly timeoutMs: number;
  readonly eventId: string;
  readonly sendToLlm?: boolean;
}
type Entities = Readonly<Record<string, string | readonly string[]>>;
type AgentAction = TextAction | {
  readonly type: 'attachment';
  readonly attachment: AgentAttachment;
} | {
  readonly type: 'suggestions';
  readonly suggestions: readonly AgentSuggestion[];
} | {
  readonly type: 'call_action';
  readonly callAction: AgentCallAction;
} |
{
  readonly type: 'language';
  readonly languageCode: string;
} |
{
  readonly type: 'state';
  readonly set: Readonly<Record<string, unknown>>;
} | {
  readonly type: 'metric';
  readonly name: string;
  readonly value: string | number | boolean;
} | {
  readonly type: 'intent';
  readonly name: string;
} |
{
  readonly type: 'entities';
  readonly found: Entities;
} |
{
  readonly type: 'function_error';
  readonly name: string;
} |
{
  readonly type: 'api_error';
} | WaitForEventAction | HandoffAction |
{
  readonly type: 'end';
};
interface Agent {
  readonly name: string;
  readonly avatarUrl: string | null;
  run(turn: AgentTurn): AsyncIterable<AgentAction>;
}
interface Pacing {
  readonly minMs: number;
  readonly maxMs: number;
}
type ReplyTexts = Readonly<Record<string, string | readonly string[]>>;
interface Contact {
  readonly title: string;
  readonly phone: string | null;
  readonly email: string | null;
  readonly url: string | null;
  readonly hours: string | null;
  readonly words: readonly string[];
}
interface EventFlow {
  readonly name: string;
  readonly phrases: readonly string[];
  readonly text: string;
  readonly receivedText: string;
  readonly timedOutText: string;
  readonly timeoutMs: number;
}
interface HandoffTarget {
  readonly destination: string;
  readonly managed: 'server' | 'client';
  readonly queueName?: string;
}
interface KnowledgeAgentConfig {
  readonly name: string;
  readonly avatarUrl: string | null;
  readonly company: string | null;
  readonly greeting: string | null;
  readonly starters: readonly string[];
  readonly helpBaseUrl: string | null;
  readonly handoff: HandoffTarget | null;
  readonly phone: {
    readonly number: string;
    readonly title: string;
  } | null;
  readonly contacts: readonly Contact[];
  readonly bookingsUrl: string | null;
  readonly complaintsEmail: string | null;
  readonly country: string | null;
  readonly emergency: {
    readonly numbers: readonly string[] | null;
    readonly helpline: {
      readonly name: string;
      readonly number: string;
    } | null;
  };
  readonly replies: Readonly<Record<string, ReplyTexts>>;
  readonly languages: readonly string[];
  readonly eventFlows: readonly EventFlow[];
  readonly places: readonly string[];
  readonly synonyms: readonly (readonly string[])[];
  readonly alternatives: readonly (readonly string[])[];
  readonly timeZone: string;
  readonly pacing: Pacing;
  readonly maxAnswerCharacters: number;
}
type CheckedKnowledgeAgent = KnowledgeAgentConfig & {
  readonly kind: 'knowledge';
  readonly knowledgeFolder: string;
  readonly tools: string | null;
};
interface EndpointTimeouts {
  readonly firstByteMs: number;
  readonly idleMs: number;
  readonly totalMs: number;
}
interface EndpointRetries {
  readonly maxAttempts: number;
  readonly baseDelayMs: number;
  readonly maxDelayMs: number;
}
interface SpendingLimits {
  readonly conversation: number | null;
  readonly projectPerDay: number | null;
}
interface ModelPrices {
  readonly input: number;
  readonly output: number;
  readonly cachedInput: number | null;
}
interface ModelLimits {
  readonly tokenLimits: SpendingLimits;
  readonly costLimits: SpendingLimits;
}
interface ModelTimeouts extends EndpointTimeouts {
  readonly firstWordMs: number;
}
interface LlmAgentConfig extends ModelLimits {
  readonly name: string;
  readonly avatarUrl: string | null;
  readonly greeting: string;
  readonly starters: readonly string[];
  readonly url: string;
  readonly apiKey: string | null;
  readonly model: string;
  readonly systemPrompt: string;
  readonly extraBody: Readonly<Record<string, unknown>>;
  readonly timeouts: ModelTimeouts;
  readonly retries: EndpointRetries;
  readonly prices: ModelPrices | null;
  readonly maxHistory: number;
  readonly maxSteps: number;
  readonly handoff: HandoffTarget | null;
  readonly country: KnowledgeAgentConfig['country'];
  readonly replies: KnowledgeAgentConfig['replies'];
  readonly emergency: KnowledgeAgentConfig['emergency'];
  readonly timeZone: string;
  readonly helpBaseUrl: string | null;
}
type CheckedLlmAgent = LlmAgentConfig & {
  readonly kind: 'llm';
  readonly knowledgeFolder: string | null;
  readonly tools: string | null;
  readonly synonyms: readonly (readonly string[])[];
  readonly alternatives: readonly (readonly string[])[];
};
interface WebhookAgentConfig {
  readonly name: string;
  readonly avatarUrl: string | null;
  readonly url: string;
  readonly secret: string;
  readonly timeouts: EndpointTimeouts;
  readonly retries: EndpointRetries;
  readonly handoff: HandoffTarget | null;
}
type ArticleAgentConfig = CheckedKnowledgeAgent | CheckedLlmAgent;
type CompleteAgentConfig = ArticleAgentConfig | (WebhookAgentConfig & {
  readonly kind: 'webhook';
});
interface ToolProperty {
  readonly type:
    | 'string'
    | 'number'
    | 'integer'
    | 'boolean';
  readonly description?: string;
  readonly enum?: readonly (string | number)[];
}
interface ToolInput {
  readonly properties: Readonly<Record<string, ToolProperty>>;
  readonly required?: readonly string[];
}
type ToolSlot = Readonly<Record<string, readonly string[]>> | RegExp;
interface ToolTrigger {
  readonly examples: readonly string[];
  readonly slots?: Readonly<Record<string, ToolSlot>>;
}
interface ToolCallContext {
  readonly text: string | null;
  readonly language: string;
  readonly earlier: string;
  readonly isFollowUp: boolean;
  readonly remembered: unknown;
  readonly entities: Entities;
  readonly page: Readonly<Record<string, unknown>>;
  readonly nowMs: number;
  readonly timeZone: string;
  readonly signal: AbortSignal;
}
interface ToolAnswer {
  readonly text: string;
  readonly data?: unknown;
  readonly article?: string | null;
  readonly remember?: unknown;
}
interface AgentTool {
  readonly name: string;
  readonly description: string;
  readonly input: ToolInput;
  readonly triggers?: readonly ToolTrigger[];
  run(input: Readonly<Record<string, unknown>>, context: ToolCallContext): ToolAnswer | null | Promise<ToolAnswer | null>;
}
interface BusFiles {
  readonly caFile?: string;
  readonly certificateFile?: string;
  readonly keyFile?: string;
  readonly credentialsFile?: string;
}
interface MessagingLimits {
  readonly accessTokensPerMinute: number;
  readonly sessionsPerMinute: number;
  readonly contextSubmissionsPerMinute: number;
  readonly wrongCredentialsPerMinute: number;
  readonly frameBurst: number;
  readonly framesPerSecond: number;
  readonly rateWarningIntervalMs: number;
  readonly heartbeatsPerSecond: number;
  readonly refusalAnswersPerSecond: number;
  readonly maxRefusedFrames: number;
  readonly socketFramesPerSecond: number;
  readonly socketBytesPerSecond: number;
  readonly sessionBytes: number;
  readonly addressBytesPerHour: number;
  readonly projectBytesPerHour: number;
  readonly pongsPerSecond: number;
  readonly maxBodyBytes: number;
  readonly requestHeadersMs: number;
  readonly requestMs: number;
  readonly keepAliveMs: number;
  readonly maxHeaderBytes: number;
  readonly silentConnectionMs: number;
  readonly maxUnfinishedRequests: number;
  readonly inactivityMs: number;
  readonly endedReplayMs: number;
  readonly maxSocketsPerSession: number;
  readonly handshakesAtOnce: number;
  readonly maxWaitingHandshakes: number;
  readonly handshakeWaitMs: number;
  readonly maxFrameBytes: number;
  readonly hardMaxFrameBytes: number;
  readonly maxBufferedBytes: number;
  readonly maxPendingFrames: number;
  readonly maxPendingBytes: number;
  readonly pingIntervalMs: number;
  readonly heartbeatIntervalSeconds: number;
  readonly maxReconnectAttempts: number;
  readonly tokenLifetimeSeconds: number;
  readonly agentFirstActionMs: number;
  readonly agentSilenceMs: number;
  readonly agentTurnMs: number;
  readonly agentTurnsAtOnce: number;
  readonly maxWaitingTurns: number;
  readonly historyBytes: number;
  readonly shutdownGraceMs: number;
  readonly shutdownJitterMs: number;
}
declare const DEFAULT_MESSAGING_LIMITS: MessagingLimits;
interface HandoffRequest {
  readonly sessionId: string;
  readonly conversationId: string;
  readonly connectorId: string;
  readonly projectId: string;
  readonly provider: string | null;
  readonly destination: string;
  readonly reason: HandoffReason;
  readonly queueName: string | null;
  readonly data: Readonly<Record<string, unknown>>;
  readonly history: readonly AgentHistoryEntry[];
}
interface LiveAgent {
  readonly id: string;
  readonly name: string;
  readonly avatarUrl: string | null;
}
interface Departure {
  readonly reason?: string;
  readonly nextName?: string;
  readonly summary?: string;
}
interface QueueStatus {
  readonly queueName?: string;
  readonly positionInQueue?: number;
  readonly estimatedWaitSeconds?: number;
  readonly displayMessage?: string;
}
interface LiveAgentMessage {
  readonly agent: LiveAgent;
  readonly text: string;
  readonly attachments?: readonly Readonly<Record<string, string>>[];
  readonly suggestions?: readonly Readonly<Record<string, string>>[];
}
interface HandoffSession {
  accepted(queueName: string | null, id?: string): Promise<void>;
  queueChanged(status: QueueStatus): Promise<void>;
  agentJoined(agent: LiveAgent, id?: string): Promise<void>;
  agentTyping(agent: LiveAgent, state: 'TYPING_STATE_STARTED' | 'TYPING_STATE_STOPPED'): Promise<void>;
  agentSent(message: LiveAgentMessage, id?: string): Promise<string | null>;
  agentLeft(agent: LiveAgent, next: 'end' | 'wait' | 'agent', departure?: Departure, id?: string): Promise<void>;
  failed(reason?: string, notice?: string): Promise<void>;
}
interface HandoffLink {
  readonly reference: unknown;
  sendMessage(message: {
    readonly messageId: string;
    readonly text: string;
  }): Promise<void>;
  sendTyping(state: 'TYPING_STATE_STARTED' | 'TYPING_STATE_STOPPED'): void;
  sendRead?(messageId: string): void;
  close(reason: HandoffCloseReason): void;
}
type HandoffCloseReason =
    | 'user_ended'
    | 'expired'
    | 'timed_out'
    | 'cancelled_by_user'
    | 'shutdown';
interface HandoffResumption {
  readonly sessionId: string;
  readonly reference: unknown;
  readonly isLive: boolean;
}
interface ServerHandoffProvider {
  readonly managed: 'server';
  serves(request: HandoffRequest): boolean;
  open(request: HandoffRequest, session: HandoffSession): Promise<HandoffLink>;
  resume(request: HandoffResumption, session: HandoffSession): Promise<HandoffLink | null>;
}
interface ClientHandoffProvider {
  readonly managed: 'client';
  serves(request: HandoffRequest): boolean;
}
type HandoffProvider = ServerHandoffProvider | ClientHandoffProvider;
declare const ROLES: readonly ['agent', 'supervisor', 'admin'];
type Role = (typeof ROLES)[number];
interface OidcConfig {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUri: string;
  readonly name: string;
}
interface ServiceHost {
  readonly pattern: string;
  readonly regions: readonly string[];
}
type ServiceHosts = Readonly<Record<Service, ServiceHost | null>>;
interface RestSettings {
  readonly vendorNames: VendorNames;
  readonly webhookHeaderStyle: WebhookHeaderStyle;
  readonly hosts: ServiceHosts;
  readonly requestsPerMinute: number | null;
  readonly chatIdleTimeoutSeconds: number;
  readonly dniReservationSeconds: number;
  readonly hasSimulatedCalls: boolean;
  readonly alertEvaluationSeconds: number;
  readonly publicUrl: string | null;
  readonly webhookPrivateAddresses: boolean;
}
type HandoffProviderConfig = ClientConfig | DeskConfig | HttpDeskConfig | ScriptedDeskConfig;
type ClientConfig = {
  readonly kind: 'client';
};
type DeskConfig = {
  readonly kind: 'desk';
  readonly offerMs: number;
  readonly returnMs: number;
};
type HttpDeskConfig = {
  readonly kind: 'http';
  readonly url: string;
  readonly secret: string;
  readonly timeoutMs: number;
};
type ScriptedDeskConfig = {
  readonly kind: 'scripted';
  readonly outcome:
    | 'answers'
    | 'refuses'
    | 'unavailable'
    | 'fails'
    | 'nobody_joins';
  readonly queueName: string;
  readonly positions: number;
  readonly stepMs: number;
  readonly agentName: string;
  readonly agentAvatarUrl: string | null;
  readonly typingMs: number;
  readonly greeting: string;
  readonly answers: readonly string[];
  readonly goodbye: string;
  readonly leavesAfter: number;
  readonly losesMessages: boolean;
};
type DeskEntry = {
  readonly queues: readonly {
    readonly name: string;
    readonly skills: readonly string[];
    readonly languages: readonly string[];
    readonly hours: string | null;
    readonly timezone: string;
    readonly closedText: string | null;
  }[];
  readonly people: readonly {
    readonly email: string;
    readonly name: string;
    readonly password: string;
    readonly role: Role;
    readonly queues?: readonly string[];
    readonly skills: readonly string[];
    readonly languages: readonly string[];
    readonly capacity: number;
  }[];
  readonly replies: readonly {
    readonly name: string;
    readonly text: string;
  }[];
};
interface TranslationEndpoint {
  readonly endpoint: string;
  readonly model: string;
  readonly apiKey: string | null;
  readonly language: string;
}
type ConnectorEntry = {
  readonly name: string;
  readonly token?: string;
  readonly hosts: readonly {
    readonly kind: 'domain' | 'app';
    readonly value: string;
  }[];
  readonly settings: ConnectorSettings;
  readonly environment: string;
};
type KeyEntry = {
  readonly name: string;
  readonly key?: string;
  readonly permissions: readonly string[];
  readonly legacy: boolean;
  readonly region: string | null;
  readonly expires: number | null;
};
type ProjectEntry = {
  readonly slug: string;
  readonly id?: string;
  readonly name?: string;
  readonly agent: string | null;
  readonly contextKeys: Readonly<Record<string, string>>;
  readonly conversations?: ConversationSettings;
  readonly connectors: readonly ConnectorEntry[];
  readonly variants?: readonly Variant[];
  readonly handoff?: string | null;
  readonly translation?: TranslationEndpoint | null;
  readonly retention_days?: RetentionDays;
  readonly numbers?: readonly string[];
  readonly keys?: readonly KeyEntry[];
};
type AccountEntry = {
  readonly slug: string;
  readonly id?: string;
  readonly name?: string;
  readonly projects: readonly ProjectEntry[];
  readonly keys?: readonly KeyEntry[];
  readonly desk?: DeskEntry;
};
type AddedConnector = {
  readonly account: string;
  readonly project: string;
  readonly connector: string;
  readonly token: string;
  readonly isGiven: boolean;
};
type AddedKey = {
  readonly account: string;
  readonly project: string | null;
  readonly name: string;
  readonly permissions: readonly string[];
  readonly key: string;
  readonly isGiven: boolean;
};
declare const LOG_LEVELS: readonly [
  'debug',
  'info',
  'warn',
  'error',
  'silent',
];
type LogLevel = (typeof LOG_LEVELS)[number];
declare const LOG_COMPONENTS: {
  readonly messaging: 'sockets, sessions, turns';
  readonly agents: 'agents and their articles';
  readonly handoff: 'hand-off to people, the desk';
  readonly webhooks: 'alert rules, deliveries';
  readonly rest: 'the other REST families, the console';
  readonly requests: 'the access log';
  readonly database: 'the database and its clock';
  readonly bus: 'how nodes reach each other';
  readonly jobs: 'work in the background';
  readonly commands: 'commands of the operator';
};
type LogComponent = keyof typeof LOG_COMPONENTS;
type ComponentLevels = Readonly<Partial<Record<LogComponent, LogLevel>>>;
declare function createLogger(level: LogLevel, destination?: DestinationStream): Logger;
type ObjectStoreSettings = {
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly prefix: string;
};
type HttpProviderSettings = {
  readonly url: string;
  readonly apiKey: string | null;
  readonly model: string;
  readonly voice: string;
};
interface VoiceSettings {
  readonly provider: string;
  readonly endpoints: Readonly<Record<string, HttpProviderSettings>>;
  readonly objectStore: ObjectStoreSettings | null;
}
interface EmbeddingsEndpoint {
  readonly url: string;
  readonly model: string;
  readonly apiKey: string | null;
}
interface RestConfig extends RestSettings {
  readonly voice: VoiceSettings;
  readonly embeddings: EmbeddingsEndpoint | null;
}
type PlatformConfig = {
  readonly host: string;
  readonly port: number;
  readonly trustedProxyHops: number;
  readonly tokenProxyUrl: string | null;
  readonly database: {
    readonly url: string | null;
    readonly dataDir: string;
    readonly durable: boolean;
    readonly maxConnections: number;
  };
  readonly busUrl: string | null;
  readonly busFiles: BusFiles;
  readonly tokenSecrets: readonly string[];
  readonly metrics: {
    readonly port: number | null;
    readonly host: string;
    readonly token: string | null;
  };
  readonly accessLog: boolean;
  readonly logLevel: LogLevel;
  readonly componentLevels: ComponentLevels;
  readonly accounts: readonly AccountEntry[];
  readonly agents: ReadonlyMap<string, CompleteAgentConfig>;
  readonly handoffProviders: ReadonlyMap<string, HandoffProviderConfig>;
  readonly oidc: OidcConfig | null;
  readonly limits: MessagingLimits;
  readonly rest: RestConfig;
};
type ConfigOverrides = {
  readonly configFile?: string | undefined;
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  readonly dataDir?: string | undefined;
};
declare function loadConfig(overrides?: ConfigOverrides, env?: Readonly<Record<string, string | undefined>>): Promise<PlatformConfig>;
interface PlatformOptions {
  readonly config?: PlatformConfig;
  readonly host?: string;
  readonly port?: number;
  readonly dataDir?: string;
  readonly databaseUrl?: string;
  readonly busUrl?: string;
  readonly accounts?: PlatformConfig['accounts'];
  readonly agents?: ReadonlyMap<string, Agent>;
  readonly limits?: Partial<MessagingLimits>;
  readonly isDevelopment?: boolean;
  readonly tokenSecret?: string;
  readonly hasConsole?: boolean;
  readonly consoleUrl?: string;
  readonly handoffProviders?: readonly HandoffProvider[];
  readonly metrics?: Partial<PlatformConfig['metrics']>;
  readonly logger?: Logger;
  readonly clock?: Clock;
  readonly onProgress?: (line: string) => void;
}
interface Platform {
  readonly url: string;
  readonly port: number;
  readonly metricsUrl: string | null;
  readonly addedConnectors: readonly AddedConnector[];
  readonly addedKeys: readonly AddedKey[];
  readonly developmentConnector: {
    readonly token: string;
    readonly host: string;
  } | null;
  expireSessions(): Promise<number>;
  expireTokens(): void;
  close(): Promise<void>;
}
declare function startPlatform(options?: PlatformOptions): Promise<Platform>;
export {
  type AccountEntry,
  type AddedConnector,
  type AddedKey,
  type Agent,
  type AgentAction,
  type AgentTool,
  type AgentTurn,
  type ClientHandoffProvider,
  type ConfigOverrides,
  type ConnectorSettings,
  DEFAULT_CONNECTOR_SETTINGS,
  DEFAULT_MESSAGING_LIMITS,
  type HandoffLink,
  type HandoffProvider,
  type HandoffRequest,
  type HandoffResumption,
  type HandoffSession,
  type LiveAgent,
  type LiveAgentMessage,
  type MessagingLimits,
  type Platform,
  type PlatformConfig,
  type PlatformOptions,
  type QueueStatus,
  type ServerHandoffProvider,
  type ToolAnswer,
  type ToolCallContext,
  type ToolInput,
  type ToolProperty,
  type ToolSlot,
  type ToolTrigger,
  createLogger,
  loadConfig,
  startPlatform,
};
