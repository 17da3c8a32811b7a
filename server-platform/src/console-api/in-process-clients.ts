import { randomBytes, randomUUID } from 'node:crypto';
import { createNatter, type Natter, type Service } from '@natter/sdk';
import { Hono } from 'hono';
import type { ApiKey, Credentials, KeyPermission } from '../accounts/index.ts';
import { createAuthFailureLimiter } from '../accounts/tokens/index.ts';
import { createRestApp, type RestRoute, type RestServices } from '../api/rest/index.ts';
import { correlationIdFrom, type PlatformEnv } from '../kit/http/index.ts';

/** A client of the REST families for one account; the project is the one of all calls that name none. */
export type FindClient = (accountId: string, projectId: string) => Natter;

// A name without a dot names no region, and no deployment has a host of this name.
const BASE_URL = 'http://console';

const RUNTIME: readonly KeyPermission[] = ['conversations', 'analytics', 'handoff', 'chat', 'erasure'];
const MONITORING: readonly KeyPermission[] = ['monitoring', 'conversations'];

type ClientServices = Pick<RestServices, 'database' | 'clock' | 'settings' | 'onFailure'>;

/**
 * Makes clients that call the REST interface in this process. Their keys are created here, never stored, and only known
 * to the application that these clients call.
 */
export function createInProcessClients(services: ClientServices, routes: readonly RestRoute[]): FindClient {
  const keys = new Map<string, ApiKey>();
  const app = createConsoleApp(services, routes, keys);
  const clients = new Map<string, Natter>();
  return (accountId, projectId) => {
    const known = clients.get(projectId);
    if (known !== undefined) return known;
    const client = createClient(services, app, keys, { accountId, projectId });
    clients.set(projectId, client);
    return client;
  };
}

/** Creates the application of the REST families that accepts `keys` and no others. */
function createConsoleApp(
  { database, clock, settings, onFailure }: ClientServices,
  routes: readonly RestRoute[],
  keys: ReadonlyMap<string, ApiKey>,
): Hono<PlatformEnv> {
  const credentials: Credentials = {
    findKey: async (text) => keys.get(text) ?? null,
    findConnector: async () => null,
    writeUses: async () => {},
  };
  const rest = createRestApp({
    ...{ database, credentials, clock, routes, onFailure },
    // People's calls are limited elsewhere, and no other calls arrive here.
    settings: { ...settings, hosts: { runtime: null, monitoring: null }, requestsPerMinute: null },
    guesses: createAuthFailureLimiter({ clock, limit: 1 }),
  });
  return new Hono<PlatformEnv>()
    .use(async (context, next) => {
      const { headers } = context.req.raw;
      context.set(
        'correlationId',
        correlationIdFrom((name) => headers.get(name)),
      );
      context.set('clientAddress', 'console');
      await next();
    })
    .route('/', rest);
}

/** Creates the client of one project, with keys that are added to `keys`. */
function createClient(
  { clock, settings }: ClientServices,
  app: Hono<PlatformEnv>,
  keys: Map<string, ApiKey>,
  { accountId, projectId }: { readonly accountId: string; readonly projectId: string },
): Natter {
  const addKey = (service: Service, permissions: readonly KeyPermission[], scope: Scope): string => {
    const text = randomBytes(32).toString('base64url');
    const createdAtMs = clock.now();
    keys.set(text, { ...NO_LIMITS, ...scope, id: randomUUID(), service, permissions, createdAtMs });
    return text;
  };
  const account = { accountId, projectId: null };
  const project = { accountId, projectId };
  return createNatter({
    ...{ baseUrl: BASE_URL, monitorBaseUrl: BASE_URL, accountId, projectId },
    apiKey: addKey('runtime', RUNTIME, account),
    monitorApiKey: addKey('monitoring', MONITORING, account),
    apiKeys: {
      externalEvents: addKey('runtime', ['external_events'], project),
      numbers: addKey('runtime', ['dni'], project),
    },
    vendorNames: settings.vendorNames,
    // Nothing lies between the two that could fail.
    retries: 0,
    fetch: async (input, init) => await app.fetch(new Request(input, init)),
  });
}

type Scope = Pick<ApiKey, 'accountId' | 'projectId'>;

const NO_LIMITS = {
  name: 'console',
  isLegacy: false,
  region: null,
  keyHint: '',
  expiresAtMs: null,
  revokedAtMs: null,
  replacedAtMs: null,
  lastUsedAtMs: null,
} as const;
