import { randomBytes } from 'node:crypto';
import { type Credentials, createCredentials } from '../accounts/index.ts';
import {
  type AuthFailureLimiter,
  createAuthFailureLimiter,
  deriveSecret,
  type SecretPurpose,
} from '../accounts/tokens/index.ts';
import { createTurnShares } from '../agents/index.ts';
import { ProjectAgents } from '../agents/published/index.ts';
import type { Database } from '../db/index.ts';
import { createDeskProvider, Desk } from '../desk/index.ts';
import { createHandoffProviders, OpenHandoffs } from '../handoff/providers/index.ts';
import type { HandoffProvider } from '../handoff/session/index.ts';
import { Scheduler } from '../jobs/index.ts';
import type { Clock } from '../kit/clock.ts';
import { type CreateLimiter, limitersOfAllNodes } from '../kit/http/index.ts';
import type { LogComponent, LogOf } from '../kit/logger.ts';
import type { Bus, Peers } from '../realtime/bus/index.ts';
import {
  agentNameOf,
  createConnectorDirectory,
  type MessagingConnector,
} from '../realtime/conversation/index.ts';
import { createActivityBuffer, createEventLog } from '../realtime/event-log/index.ts';
import {
  createFailureReport,
  createMessagingMetrics,
  createObserver,
  type MessagingContext,
  type MessagingMetrics,
  NodeLease,
  SessionIds,
  SessionManager,
} from '../realtime/index.ts';
import { isChosenNode } from '../realtime/ownership/index.ts';
import { answerTraces, createTraceReader, type ReadTraces, SessionTraces } from '../realtime/trace/index.ts';
import { loadConfiguredAgents, type PlatformConfig, readTokenSecrets } from './config/index.ts';
import type { PlatformOptions } from './platform-options.ts';

/** The keys of a deployment. */
export interface PlatformKeys {
  /** The configured secrets, the newest first. */
  readonly secrets: readonly Uint8Array[];
  readonly deriveKey: (purpose: SecretPurpose) => Uint8Array;
}

/** Reads the secrets of the configuration. Without one, keys are random and last as long as the process. */
export async function createKeys(config: PlatformConfig): Promise<PlatformKeys> {
  const secrets = await readTokenSecrets(config);
  const [secret = randomBytes(32)] = secrets;
  return { secrets, deriveKey: (purpose) => deriveSecret(secret, purpose) };
}

/** Shared by the services that answer requests. Nothing of it has to be stopped. */
export interface ServerContext {
  readonly config: PlatformConfig;
  readonly database: Database;
  readonly clock: Clock;
  readonly logOf: LogOf;
  /** Name of this node. */
  readonly node: string;
  readonly peers: Peers;
  readonly agents: ProjectAgents;
  readonly metrics: MessagingMetrics;
  readonly credentials: Credentials;
  readonly guesses: AuthFailureLimiter;
  /** Makes the limits that hold for all nodes. */
  readonly createLimiter: CreateLimiter;
  readonly openHandoffs: OpenHandoffs;
  readonly desk: Desk;
  readonly hasConsole: boolean;
  /** Null: the console's test bench has no demo to work on. */
  readonly testBenchUrl: string | null;
  readonly consoleUrl: string | null;
  readonly messaging: MessagingContext;
  /** The sessions of this node. None is loaded before messaging has started. */
  readonly manager: SessionManager;
  /** Reads what the nodes know of a session. */
  readonly readTraces: ReadTraces;
  /** Logs and counts what fails in a component. */
  readonly onFailureOf: (component: LogComponent) => OnFailure;
}

type OnFailure = (what: string, error: unknown, correlationId?: string) => void;

/** The services that a context is made of, and the settings. */
export interface ServerContextOptions {
  readonly config: PlatformConfig;
  readonly options: PlatformOptions;
  readonly database: Database;
  readonly clock: Clock;
  readonly bus: Bus;
  readonly peers: Peers;
  readonly logOf: LogOf;
  readonly node: string;
}

/** Makes the context of one platform. Rejects when an agent of the configuration cannot be made. */
export async function createServerContext(services: ServerContextOptions): Promise<ServerContext> {
  const { config, options, database, clock, bus, peers, logOf, node } = services;
  const observation = createObservation(services);
  const { metrics, traces, onFailureOf } = observation;
  const agents = await createAgents(services, onFailureOf('agents'));
  const openHandoffs = new OpenHandoffs();
  const desk = new Desk({
    ...{ database, clock, bus, peers, onFailure: onFailureOf('handoff') },
    wakeSession: (sessionId) => manager.ensureLoaded(sessionId),
    listConnected: (sessionIds) => manager.listConnected(sessionIds),
  });
  const credentials = createCredentials(database, clock);
  const messaging = createMessagingContext(services, {
    ...{ observation, agents, credentials },
    handoffProviders: createProviders(services, { openHandoffs, desk, onFailure: onFailureOf('handoff') }),
  });
  const manager = new SessionManager(messaging);
  const createLimiter = limitersOfAllNodes({ database, clock, onFailure: onFailureOf('database') });
  const limit = config.limits.wrongCredentialsPerMinute;
  answerTraces(peers, traces);
  const readTraces = createTraceReader({ sql: database, peers, own: { node, traces } });
  return {
    ...{ config, database, clock, logOf, node, peers, agents, metrics, credentials, openHandoffs, desk },
    hasConsole: options.hasConsole ?? false,
    testBenchUrl: options.testBenchUrl ?? null,
    consoleUrl: options.consoleUrl ?? null,
    ...{ messaging, manager, createLimiter, readTraces, onFailureOf },
    guesses: createAuthFailureLimiter({ clock, createLimiter, limit }),
  };
}

/** The event log, and the log lines and metrics of the node. */
interface Observation extends Pick<MessagingContext, 'log' | 'observer'> {
  readonly metrics: MessagingMetrics;
  readonly traces: SessionTraces;
  readonly onFailureOf: ServerContext['onFailureOf'];
}

function createObservation({ database, peers, clock, logOf }: ServerContextOptions): Observation {
  // The embedded database has one connection: it would flush twice as often, and write no two groups at a time.
  const log = createEventLog(database, {
    lanes: database.engine === 'postgres' ? 2 : 1,
    onCommit: (commit) => metrics.committed(commit),
  });
  const metrics = createMessagingMetrics(log);
  metrics.watchConnections({ database, peers });
  peers.onPossibleLoss(metrics.busMayHaveLost);
  const traces = new SessionTraces();
  const observer = createObserver({ logger: logOf('messaging'), metrics, traces, clock });
  return {
    ...{ log, observer, metrics, traces },
    onFailureOf(component) {
      const report = createFailureReport(logOf(component), metrics);
      return (what, error, correlationId) =>
        report(what, error, correlationId === undefined ? {} : { correlationId });
    },
  };
}

/** Makes the agents of the configuration and of the options, and loads the articles of the projects. */
async function createAgents(
  { config, options, database }: ServerContextOptions,
  onFailure: OnFailure,
): Promise<ProjectAgents> {
  const replacing = options.agents ?? new Map();
  const { sources, webhooks } = await loadConfiguredAgents(config, new Set(replacing.keys()));
  const given = new Map([...webhooks, ...replacing]);
  const turnInShare = createTurnShares(config.limits.agentTurnsAtOnce);
  const agents = new ProjectAgents({ database, given, sources, turnInShare, onFailure });
  await agents.refresh();
  return agents;
}

function createProviders(
  { config, options, database, clock }: ServerContextOptions,
  {
    openHandoffs,
    desk,
    onFailure,
  }: Pick<ServerContext, 'openHandoffs' | 'desk'> & { readonly onFailure: OnFailure },
): readonly HandoffProvider[] {
  return [
    ...(options.handoffProviders ?? []),
    ...createHandoffProviders({
      configs: config.handoffProviders,
      open: openHandoffs,
      clock,
      headerStyle: config.rest.webhookHeaderStyle,
      createDesk: (name, settings) =>
        createDeskProvider({ name, config: settings, desk, database, clock, onFailure }),
      onFailure,
    }),
  ];
}

function createMessagingContext(
  { config, database, clock, bus, peers, node }: ServerContextOptions,
  {
    observation: { log, observer, metrics, onFailureOf },
    agents,
    credentials,
    handoffProviders,
  }: Pick<ServerContext, 'agents' | 'credentials'> &
    Pick<MessagingContext, 'handoffProviders'> & { readonly observation: Observation },
): MessagingContext {
  const { limits } = config;
  return {
    ...{ database, log, bus, peers, clock, limits, handoffProviders, observer },
    activity: createActivityBuffer(database, {
      // The expiry of idle sessions reads the stored activity, which lags behind by a tenth of the limit at most.
      delayMs: limits.inactivityMs / 10,
      onError: (error) => observer.failed('note activity', error),
    }),
    scheduler: new Scheduler({
      clock,
      isChosen: (what) => isChosenNode(database, node, what),
      onFailure: onFailureOf('jobs'),
      onRun: metrics.taskRun,
    }),
    lease: new NodeLease({ database, node }),
    connectors: createConnectorDirectory(database, credentials),
    sessionIds: new SessionIds(),
    agentFor: (connector: MessagingConnector, variantId: string) => {
      const agent = agentNameOf(connector, variantId);
      return agent === null ? null : agents.find(agent, connector.projectId);
    },
  };
}
