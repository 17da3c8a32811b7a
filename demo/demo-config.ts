import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTicketKey } from '@natter/token-proxy';

/** How the demo's proxy gets into the platform. */
export interface ConnectorAccess {
  readonly token: string;
  readonly host: string;
}

/** What a demo keeps between two starts. */
export interface DemoSecrets {
  readonly connectorToken: string;
  readonly ticketKey: string;
}

const KNOWLEDGE = fileURLToPath(new URL('../server-platform/knowledge/kittiwake', import.meta.url));
// Every visitor of a demo comes from one machine, and the platform sees them all at the proxy's address.
const REQUESTS_PER_MINUTE = 6_000;

function isSecrets(value: unknown): value is DemoSecrets {
  return typeof value === 'object' && value !== null && 'connectorToken' in value && 'ticketKey' in value;
}

/** Reads the demo's secrets from `dataDir`, or makes them on the first start; readable by their owner only. */
export function keepSecrets(dataDir: string): DemoSecrets {
  const file = join(dataDir, 'demo-secrets.json');
  if (existsSync(file)) {
    const kept: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (isSecrets(kept)) return kept;
    throw new Error(`${file} does not hold the demo's secrets. Delete it; the next start makes new ones.`);
  }
  const secrets = {
    connectorToken: `nct_${randomBytes(32).toString('base64url')}`,
    ticketKey: createTicketKey(),
  };
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(file, JSON.stringify(secrets), { mode: 0o600 });
  return secrets;
}

/** Writes the platform's configuration of the demo company and returns the file's path. */
export function writeDemoConfig(dataDir: string, token: string, siteUrl: string): string {
  const file = resolve(dataDir, 'demo-platform.json');
  const config = {
    accounts: [
      {
        slug: 'kittiwake',
        name: 'Kittiwake Ferries',
        projects: [
          {
            slug: 'kittiwake',
            agent: 'ada',
            connectors: [{ name: 'demo', token, hosts: ['127.0.0.1', 'localhost'], environment: 'sandbox' }],
          },
        ],
      },
    ],
    agents: {
      ada: {
        kind: 'knowledge',
        name: 'Ada',
        company: 'Kittiwake Ferries',
        avatarUrl: `${siteUrl}/ada.svg`,
        knowledgeFolder: KNOWLEDGE,
        helpBaseUrl: `${siteUrl}/help`,
        starters: [
          'When does the ferry to Tarrow leave?',
          'Can I bring my dog?',
          'How do I change my booking?',
        ],
      },
    },
    limits: { accessTokensPerMinute: REQUESTS_PER_MINUTE, sessionsPerMinute: REQUESTS_PER_MINUTE },
    logLevel: 'warn',
  };
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(file, JSON.stringify(config, null, 2), { mode: 0o600 });
  return file;
}

/** The first connector with a written token in a platform's configuration file. */
export function readConnector(configFile: string): ConnectorAccess {
  const config: unknown = JSON.parse(readFileSync(configFile, 'utf8'));
  for (const connector of findConnectors(config)) {
    const { token, hosts } = connector;
    const [host] = Array.isArray(hosts) ? hosts : [];
    if (typeof token !== 'string') continue;
    if (typeof host === 'string') return { token, host };
    if (typeof host === 'object' && host !== null && 'value' in host)
      return { token, host: String(host.value) };
  }
  throw new Error(
    `${configFile} has no connector with a "token" and a host. The demo needs one: "connectors": [{ "name": "demo", "token": "…", "hosts": ["127.0.0.1"] }].`,
  );
}

interface ConnectorFields {
  readonly token?: unknown;
  readonly hosts?: unknown;
}

/** Every object that stands in a list called `connectors`, wherever that is. */
function findConnectors(value: unknown): readonly ConnectorFields[] {
  if (typeof value !== 'object' || value === null) return [];
  const here: unknown = 'connectors' in value ? value.connectors : [];
  const found = Array.isArray(here)
    ? here.filter((entry): entry is ConnectorFields => typeof entry === 'object')
    : [];
  return [...found, ...Object.values(value).flatMap(findConnectors)];
}
