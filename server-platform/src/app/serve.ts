import type { Hono } from 'hono';
import PQueue from 'p-queue';
import { findProjectById } from '../accounts/index.ts';
import {
  type AccessTokens,
  createAccessTokens,
  createSecretVault,
  deriveSecret,
} from '../accounts/tokens/index.ts';
import { createAsyncApiRoutes } from '../api/asyncapi/index.ts';
import { createOpenApiRoutes } from '../api/openapi/index.ts';
import {
  createRestApp,
  createSearchShares,
  type RestFamily,
  type RestRoute,
  refuseWithoutRegion,
} from '../api/rest/index.ts';
import { sleep } from '../kit/clock.ts';
import type { PlatformEnv } from '../kit/http/index.ts';
import {
  addContactRequest,
  type RunningMessaging,
  startMessaging,
  type VisitorData,
} from '../realtime/index.ts';
import { LEASE_RENEWAL_MS } from '../realtime/ownership/index.ts';
import { eraseVisitorData, readVisitorData } from '../records/erasure/index.ts';
import { createPersonCalls } from '../staff/index.ts';
import { findTranslations, hasDesk } from './config/index.ts';
import { createDocumentation } from './documentation.ts';
import { startFamilies } from './families.ts';
import { createRequestObserver } from './request-observer.ts';
import type { PlatformKeys, ServerContext } from './server-context.ts';

/** Starts the REST families with their background work. */
export async function startFamiliesOn(
  context: ServerContext,
  { secrets, deriveKey }: PlatformKeys,
): Promise<readonly RestFamily[]> {
  const { config, database, clock, node, peers, agents, metrics, manager, openHandoffs } = context;
  const note = context.logOf('rest');
  const { observer } = context.messaging;
  return await startFamilies(
    {
      translations: await findTranslations(database, config.accounts),
      database,
      clock,
      scheduler: context.messaging.scheduler,
      settings: config.rest,
      node,
      timeouts: config.limits,
      historyBytes: config.limits.historyBytes,
      sessionBytes: config.limits.sessionBytes,
      vault: createSecretVault(secrets),
      findAgent: (name, projectId) => agents.find(name, projectId),
      projectAgents: agents,
      dataDir: config.database.dataDir,
      deriveKey,
      peers,
      searchInShare: createSearchShares(),
      note: (what, facts) => note.info(facts, what),
      countWebhook: metrics.webhookAttempted,
      countRemoved: metrics.rowsRemoved,
      countSlowReader: metrics.slowReaders,
      tellAgent: (sessionId) =>
        void manager
          .tellAgent(sessionId)
          .catch((error: unknown) =>
            observer.failed('tell the agent what it waited for', error, { sessionId }),
          ),
      openHandoffs,
      // People sign in at the desk's calls for the console too.
      desk: hasDesk(config) || context.hasConsole ? context.desk : null,
      oidc: config.oidc,
      personCalls: createPersonCalls(context.clock),
      personStreams: new Set(),
      console: context.hasConsole
        ? {
            desk: context.desk,
            hasDesk: hasDesk(config),
            testBenchUrl: context.testBenchUrl,
            consoleUrl: context.consoleUrl,
            tokenProxyUrl: config.tokenProxyUrl,
          }
        : null,
      bus: context.messaging.bus,
      log: context.messaging.log,
      figures: metrics.figures,
      readTraces: context.readTraces,
      wakeSession: (sessionId) => manager.ensureLoaded(sessionId),
      onFailure: context.onFailureOf('rest'),
    },
    context.onFailureOf,
  );
}

/** Opens the port: sockets, sessions, the routes of the families and the documents. */
export async function startMessagingOn(
  context: ServerContext,
  { secrets }: PlatformKeys,
  families: readonly RestFamily[],
): Promise<RunningMessaging & Pick<AccessTokens, 'expireAll'>> {
  const { config, database, clock } = context;
  const tokens = await createAccessTokens({
    secrets: secrets.map((secret) => deriveSecret(secret, 'accessTokens')),
    issuer: 'natter',
    now: () => clock.now(),
    lifetimeSeconds: config.limits.tokenLifetimeSeconds,
  });
  const calls = new PQueue();
  const messaging = await startMessaging({
    context: context.messaging,
    manager: context.manager,
    metrics: context.metrics,
    tokens,
    guesses: context.guesses,
    createLimiter: context.createLimiter,
    async contextKeysOf(projectId) {
      const keys = (await findProjectById(database, projectId))?.contextKeys;
      return keys === undefined || keys.size === 0 ? null : keys;
    },
    visitorData: createVisitorData(context),
    hostname: config.host,
    port: config.port,
    trustedProxyHops: config.trustedProxyHops,
    requestObserver: createRequestObserver(context, routesOf(families)),
    metricsToken: config.metrics.token,
    renewalMs: LEASE_RENEWAL_MS,
    sweepMs: SWEEP_MS,
    routes: { '/': createRoutes(context, families, calls) },
    async finishRequests(graceMs) {
      const stop = new AbortController();
      await Promise.race([calls.onIdle(), sleep(clock, graceMs, stop.signal)]);
      stop.abort();
    },
    refuse: (request, correlationId) => refuseWithoutRegion(config.rest, request, correlationId),
  });
  return Object.assign(messaging, { expireAll: () => tokens.expireAll() });
}

const routesOf = (families: readonly RestFamily[]): readonly RestRoute[] =>
  families.flatMap(({ routes }) => routes);

/** The routes and pages of the families, and the documents. Requests that are being answered are in `calls`. */
function createRoutes(
  { config, database, credentials, clock, guesses, onFailureOf }: ServerContext,
  families: readonly RestFamily[],
  calls: PQueue,
): Hono<PlatformEnv> {
  const settings = config.rest;
  const routes = routesOf(families);
  const rest = createRestApp({
    ...{ database, credentials, clock, guesses, settings, routes, calls },
    onFailure: onFailureOf('rest'),
  });
  for (const [path, page] of families.flatMap(({ pages = {} }) => Object.entries(pages)))
    rest.route(path, page);
  rest.route('/docs', createDocumentation());
  return rest.route('/', createOpenApiRoutes(settings)).route('/', createAsyncApiRoutes());
}

/** Lets visitors download and erase their data, and leave messages. */
function createVisitorData({
  config,
  database,
  clock,
  desk,
  logOf,
  messaging,
  metrics,
}: ServerContext): VisitorData {
  return {
    read: (sessionId) => readVisitorData(database, messaging.log, sessionId),
    async erase(sessionId) {
      const removed = await eraseVisitorData(database, sessionId);
      if (removed === null) return;
      metrics.rowsRemoved('erasure', removed.counts);
      logOf('messaging').info({ kind: 'session', rows: removed.total }, 'erased on request of its visitor');
    },
    // The messages are read at the desk.
    offersContact: hasDesk(config),
    async addContactRequest(sessionId, words) {
      const outcome = await addContactRequest(database, sessionId, words, clock.now());
      if (outcome.status === 'stored') desk.announce(outcome.accountId);
      return outcome;
    },
  };
}

// Often enough that a session without sockets expires at most this late.
const SWEEP_MS = 5_000;
