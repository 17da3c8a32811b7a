import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ChatAccess, createTicketKey } from '@natter/token-proxy';

/** How the demo's proxy gets into the platform. */
export interface ConnectorAccess {
  readonly token: string;
  readonly host: string;
}

/** What a demo keeps between two starts. */
export interface DemoSecrets {
  readonly connectorToken: string;
  readonly ticketKey: string;
  /** API key for the chat in turns. */
  readonly chatKey: string;
  /** API key with which the company's pages tell of payments. */
  readonly eventsKey: string;
  /** API keys to try the REST families with, by the names of {@link REST_KEYS}. */
  readonly restKeys: Readonly<Record<string, string>>;
  /** Of everybody at the demo's desk. */
  readonly deskPassword: string;
}

/** An API key that the demo's operator is shown. */
export interface DemoKey {
  readonly name: string;
  readonly permissions: readonly string[];
  readonly key: string;
}

/** One key for each way a key can be bound, so that together they open every REST family. Source: rest.md 1.5. */
const REST_KEYS = [
  { name: 'runtime', isOfProject: true, permissions: ['chat', 'conversations', 'analytics', 'handoff'] },
  { name: 'external-events', isOfProject: true, permissions: ['external_events'] },
  { name: 'dni', isOfProject: true, permissions: ['dni'] },
  { name: 'monitoring', isOfProject: false, permissions: ['monitoring', 'conversations'] },
  { name: 'legacy', isOfProject: false, permissions: ['conversations'], legacy: true },
] as const;

// Reserved for fiction: no call reaches a person.
const NUMBERS = ['+441632960001', '+441632960002', '+441632960003'];

/** Who signs in at the demo's console. */
export const PEOPLE = [
  { email: 'grace@example.com', name: 'Grace', role: 'agent' },
  { email: 'sue@example.com', name: 'Sue', role: 'supervisor' },
  { email: 'rita@example.com', name: 'Rita', role: 'admin' },
] as const;

const KNOWLEDGE = fileURLToPath(new URL('../server-platform/knowledge/kittiwake', import.meta.url));
// Every visitor of a demo comes from one machine.
const REQUESTS_PER_MINUTE = 6_000;

const SECRETS = ['connectorToken', 'ticketKey', 'chatKey', 'eventsKey', 'deskPassword', 'restKeys'] as const;

function isSecrets(value: unknown): value is DemoSecrets {
  return typeof value === 'object' && value !== null && SECRETS.every((name) => name in value);
}

/** Reads the demo's secrets from `dataDir`, or makes them on the first start; readable by their owner only. */
export function keepSecrets(dataDir: string): DemoSecrets {
  const file = join(dataDir, 'demo-secrets.json');
  if (existsSync(file)) {
    const kept: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (isSecrets(kept)) return kept;
    throw new Error(`${file} does not hold the demo's secrets. Delete it; the next start makes new ones.`);
  }
  const secrets: DemoSecrets = {
    connectorToken: `nct_${randomBytes(32).toString('base64url')}`,
    ticketKey: createTicketKey(),
    chatKey: newKey(),
    eventsKey: newKey(),
    deskPassword: randomBytes(12).toString('base64url'),
    restKeys: Object.fromEntries(REST_KEYS.map(({ name }) => [name, newKey()])),
  };
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(file, JSON.stringify(secrets), { mode: 0o600 });
  return secrets;
}

function newKey(): string {
  return `nak_${randomBytes(32).toString('base64url')}`;
}

/** The keys of the demo company for the REST families. */
export function listRestKeys({ restKeys }: DemoSecrets): readonly DemoKey[] {
  return REST_KEYS.map(({ name, permissions }) => ({ name, permissions, key: restKeys[name] ?? '' }));
}

/** Writes the platform's configuration of the demo company and returns the file's path. */
export function writeDemoConfig(
  dataDir: string,
  { connectorToken: token, chatKey, eventsKey, restKeys, deskPassword }: DemoSecrets,
  siteUrl: string,
  hasDesk = false,
): string {
  const file = resolve(dataDir, 'demo-platform.json');
  const keysOf = (isWanted: boolean): readonly object[] =>
    REST_KEYS.filter(({ isOfProject }) => isOfProject === isWanted).map(({ isOfProject: _, ...entry }) => ({
      ...entry,
      key: restKeys[entry.name],
    }));
  const config = {
    // The token proxy calls the platform directly and names the visitor's address.
    server: { trustedProxyHops: 1 },
    accounts: [
      {
        slug: 'kittiwake',
        name: 'Kittiwake Ferries',
        projects: [
          {
            slug: 'kittiwake',
            agent: 'ada',
            handoff: hasDesk ? 'desk' : 'scripted',
            connectors: [
              { name: 'demo', token, hosts: ['127.0.0.1', 'localhost'], settings: { csat: true } },
            ],
            keys: [
              { name: 'demo-chat', key: chatKey, permissions: ['chat'] },
              { name: 'demo-payments', key: eventsKey, permissions: ['external_events'] },
              ...keysOf(true),
            ],
            numbers: NUMBERS,
          },
        ],
        keys: keysOf(false),
        desk: {
          queues: [{ name: 'Service desk' }],
          replies: [{ name: 'Greeting', text: 'Hello, I am {{person}}. How can I help?' }],
          people: PEOPLE.map((person) => ({ ...person, password: deskPassword })),
        },
      },
    ],
    ...(hasDesk && { handoffProviders: { desk: { kind: 'desk' } } }),
    agents: {
      ada: {
        kind: 'knowledge',
        ...JSON.parse(readFileSync(join(KNOWLEDGE, 'agent.json'), 'utf8')),
        avatarUrl: `${siteUrl}/ada.svg`,
        knowledgeFolder: KNOWLEDGE,
        helpBaseUrl: `${siteUrl}/help`,
        eventFlows: [
          {
            name: 'payment',
            phrases: ['pay my balance', 'pay the rest of my booking', 'pay my booking'],
            text: `You can pay at ${siteUrl}/pay/{event_id} and I will tell you here as soon as it has arrived.`,
            receivedText: 'Your payment has arrived, thank you. Your booking is confirmed.',
            timedOutText:
              'I have not seen your payment yet. If you have paid, your booking is confirmed by e-mail once it arrives.',
            timeoutMs: 900_000,
          },
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

/** What the demo's proxy needs for the chat in turns, beside the platform's address. */
export type ChatKey = Pick<ChatAccess, 'apiKey' | 'accountId' | 'projectId'>;

/** The first written key for chat in a platform's configuration file; null when no project has one. */
export function readChatKey(configFile: string): ChatKey | null {
  const config: unknown = JSON.parse(readFileSync(configFile, 'utf8'));
  for (const account of readList(config, 'accounts')) {
    for (const project of readList(account, 'projects')) {
      for (const key of readList(project, 'keys')) {
        const apiKey = Reflect.get(key, 'key');
        const isForChat = (Reflect.get(key, 'permissions') ?? []).includes('chat');
        const [accountId, projectId] = [Reflect.get(account, 'slug'), Reflect.get(project, 'slug')];
        if (isForChat && typeof apiKey === 'string') return { apiKey, accountId, projectId };
      }
    }
  }
  return null;
}

/** The objects in a list of an object's field. */
function readList(value: unknown, name: string): readonly object[] {
  const list: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : null;
  return Array.isArray(list) ? list.filter((entry) => typeof entry === 'object' && entry !== null) : [];
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
