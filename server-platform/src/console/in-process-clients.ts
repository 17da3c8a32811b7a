import { randomBytes, randomUUID } from 'node:crypto';
import { createNatter, type Natter, type Service } from '@natter/sdk';
import { Hono } from 'hono';
import type { ApiKey, Credentials, KeyPermission } from '../accounts/index.ts';
import { createGuessLimiter } from '../auth/index.ts';
import { correlationIdFrom, type PlatformEnv } from '../http/index.ts';
import { createRestApp, type RestRoute, type RestServices } from '../rest/index.ts';

/** A client of the REST families for one account; the project is the one of all calls that name none. */
export type FindClient = (accountId: string, projectId: string) => Natter;

// A name without a dot names no region, and no deployment has a host of this name.
const BASE_URL = 'http://console';

const RUNTIME: readonly KeyPermission[] = ['conversations', 'analytics', 'handoff', 'chat', 'erasure'];
const MONITORING: readonly KeyPermission[] = ['monitoring', 'conversations'];

/**
 * Makes clients that call the REST families of this process. Their keys are made here, are never stored, and open nothing
 * outside: only the application that these clients call knows them.
 */
export function createInProcessClients(
  services: Pick<RestServices, 'database' | 'clock' | 'settings' | 'onFailure'>,
  routes: readonly RestRoute[],
): FindClient {
  const { database, clock, settings, onFailure } = services;
  const keys = new Map<string, ApiKey>();
  const credentials: Credentials = {
    findKey: async (text) => keys.get(text) ?? null,
    findConnector: async () => null,
    writeUses: async () => {},
  };
  const rest = createRestApp({
    ...{ database, credentials, clock, routes, onFailure },
    // The calls of people are limited by what they can do; nothing else comes here.
    settings: { ...settings, hosts: { runtime: null, monitoring: null }, requestsPerMinute: null },
    guesses: createGuessLimiter({ clock, limit: 1 }),
  });
  const app = new Hono<PlatformEnv>()
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

  const addKey = (service: Service, permissions: readonly KeyPermission[], scope: Scope): string => {
    const text = randomBytes(32).toString('base64url');
    keys.set(text, {
      ...NO_LIMITS,
      ...scope,
      id: randomUUID(),
      service,
      permissions,
      createdAtMs: clock.now(),
    });
    return text;
  };
  const clients = new Map<string, Natter>();
  return (accountId, projectId) => {
    const known = clients.get(projectId);
    if (known !== undefined) return known;
    const account = { accountId, projectId: null };
    const client = createNatter({
      ...{ baseUrl: BASE_URL, monitorBaseUrl: BASE_URL, accountId, projectId },
      apiKey: addKey('runtime', RUNTIME, account),
      monitorApiKey: addKey('monitoring', MONITORING, account),
      apiKeys: {
        externalEvents: addKey('runtime', ['external_events'], { accountId, projectId }),
        numbers: addKey('runtime', ['dni'], { accountId, projectId }),
      },
      vendorNames: settings.vendorNames,
      // Nothing lies between the two that could fail.
      retries: 0,
      fetch: async (input, init) => await app.fetch(new Request(input, init)),
    });
    clients.set(projectId, client);
    return client;
  };
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
