import { createLogger, DEFAULT_CONNECTOR_SETTINGS, loadConfig, startPlatform } from '@natter/platform';
import type { OpenApiFile } from './json-schema.ts';
import type { ReferenceOperation } from './reference-operations.ts';

/** Parts of a request besides its operation. Missing parts of the path get existing values. */
export interface ContractRequest {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** A response with its parsed JSON; undefined for another type. */
export interface ContractAnswer {
  readonly status: number;
  readonly json: unknown;
  readonly text: string;
}

/** A complete platform on a port, with one account, a project, a connector and keys. */
export interface ContractPlatform {
  /** The description at `/openapi.json`. */
  readonly description: OpenApiFile;
  send(
    operation: Pick<ReferenceOperation, 'method' | 'path'>,
    request?: ContractRequest,
  ): Promise<ContractAnswer>;
  close(): Promise<void>;
}

const CONNECTOR_TOKEN = 'a-connector-token-for-the-contract';
const KEYS = {
  runtime: 'a-runtime-key-for-the-contract-tests',
  legacy: 'a-legacy-key-for-the-contract-tests',
  events: 'a-key-for-external-events-in-contract-tests',
  numbers: 'a-key-for-reservations-in-contract-tests',
  monitoring: 'a-monitoring-key-for-the-contract-tests',
} as const;

/** Starts a platform that stores nothing. */
export async function startContractPlatform(): Promise<ContractPlatform> {
  const key = (name: keyof typeof KEYS, permissions: readonly string[], legacy = false) => ({
    ...{ name, key: KEYS[name], permissions, legacy },
    ...{ region: null, expires: null },
  });
  const platform = await startPlatform({
    config: await loadConfig({}, {}),
    dataDir: 'memory',
    port: 0,
    logger: createLogger('silent'),
    limits: { shutdownJitterMs: 0, shutdownGraceMs: 0 },
    accounts: [
      {
        slug: 'acme',
        keys: [key('legacy', ['conversations'], true), key('monitoring', ['monitoring', 'conversations'])],
        projects: [
          {
            slug: 'shop',
            agent: 'kittiwake',
            contextKeys: {},
            keys: [
              key('runtime', ['chat', 'conversations', 'analytics', 'handoff']),
              key('events', ['external_events']),
              key('numbers', ['dni']),
            ],
            connectors: [
              {
                name: 'web',
                token: CONNECTOR_TOKEN,
                hosts: [{ kind: 'domain', value: 'localhost' }],
                environment: 'live',
                settings: DEFAULT_CONNECTOR_SETTINGS,
              },
            ],
          },
        ],
      },
    ],
  });
  const platformUrl = platform.url;
  const description: OpenApiFile = await (await fetch(`${platformUrl}/openapi.json`)).json();
  return {
    description,
    async send({ method, path }, { path: parts = {}, query = {}, body } = {}) {
      const values: Readonly<Record<string, string>> = {
        account_id: 'acme',
        project_id: 'shop',
        agentId: 'shop',
        ...parts,
      };
      const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
        encodeURIComponent(values[name] ?? 'v1'),
      );
      const pairs = Object.entries(query).flatMap(([name, value]) =>
        (Array.isArray(value) ? value : [value]).map((each) => [name, String(each)]),
      );
      const answer = await fetch(`${platformUrl}${filled}?${new URLSearchParams(pairs)}`, {
        method,
        headers: {
          'X-API-KEY': keyFor(method, filled),
          'X-TOKEN': CONNECTOR_TOKEN,
          'Content-Type': 'application/json',
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true;
      return { status: answer.status, text, json: isJson ? JSON.parse(text) : undefined };
    },
    close: () => platform.close(),
  };
}

function keyFor(method: string, path: string): string {
  if (path.startsWith('/v1/external-events')) return KEYS.events;
  if (path.endsWith('/dni-reservation')) return KEYS.numbers;
  if (method === 'GET' && /^\/v[12]\/acme\/shop\/conversations$/.test(path)) return KEYS.legacy;
  return /^\/v1\/(?:alert|webhook|agents\/)/.test(path) ? KEYS.monitoring : KEYS.runtime;
}
