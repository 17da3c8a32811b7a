import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ChatAccess, createTicketKey } from '@natter/token-proxy';
import { type DemoSecrets, PEOPLE, REST_KEYS, readSecrets, secretsFile } from './demo-secrets.ts';

/** Access of the demo's proxy to the platform. */
export interface ConnectorAccess {
  readonly token: string;
  readonly host: string;
}

// Reserved for fiction: no call reaches a person.
const NUMBERS = ['+441632960001', '+441632960002', '+441632960003'];

const KNOWLEDGE = fileURLToPath(new URL('../server-platform/knowledge/kittiwake', import.meta.url));
const TOOLS = fileURLToPath(new URL('./kittiwake/tools.ts', import.meta.url));
// Every visitor of a demo comes from one machine.
const REQUESTS_PER_MINUTE = 6_000;

/** Reads the demo's secrets from `dataDir`, or makes them on the first start; readable by their owner only. */
export function keepSecrets(dataDir: string): DemoSecrets {
  const kept = readSecrets(dataDir);
  if (kept !== null) return kept;
  const secrets: DemoSecrets = {
    connectorToken: `nct_${randomBytes(32).toString('base64url')}`,
    ticketKey: createTicketKey(),
    chatKey: newKey(),
    eventsKey: newKey(),
    deskPassword: randomBytes(12).toString('base64url'),
    restKeys: Object.fromEntries(REST_KEYS.map(({ name }) => [name, newKey()])),
  };
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(secretsFile(dataDir), JSON.stringify(secrets), { mode: 0o600 });
  return secrets;
}

function newKey(): string {
  return `nak_${randomBytes(32).toString('base64url')}`;
}

/** Writes the platform's configuration of the demo company and returns the file's path. */
export function writeDemoConfig(
  dataDir: string,
  { connectorToken: token, chatKey, eventsKey, restKeys, deskPassword }: DemoSecrets,
  siteUrl: string,
  hasDesk: boolean,
  publicUrl: string | null = null,
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
              {
                name: 'demo',
                token,
                hosts: ['127.0.0.1', 'localhost'],
                settings: { csat: true, receipts: true },
              },
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
          replies: [
            { name: 'Greeting', text: 'Hello {name}, I am {agent}. How can I help?' },
            { name: 'Goodbye', text: 'Thank you for writing to us. Have a good crossing!' },
          ],
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
        tools: TOOLS,
        helpBaseUrl: `${siteUrl}/help`,
        eventFlows: [
          {
            name: 'payment',
            phrases: ['pay my balance', 'pay the rest of my booking', 'pay my booking'],
            text: `You can pay at ${siteUrl}/pay/{event_id} and I will tell you here as soon as it has arrived.`,
            receivedText: 'Your payment has arrived, thank you. Your booking is confirmed.',
            timedOutText:
              'I have not seen your payment yet. If you have paid, your booking is confirmed by email once it arrives.',
            timeoutMs: 900_000,
          },
        ],
      },
    },
    limits: {
      accessTokensPerMinute: REQUESTS_PER_MINUTE,
      sessionsPerMinute: REQUESTS_PER_MINUTE,
      // One node has a few clients at most, so a restart waits for nothing by closing their sockets at once.
      shutdownJitterMs: 0,
    },
    // Sites and receivers of this machine can be tried.
    rest: { webhook_private_addresses: true, public_url: publicUrl },
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

/** Settings of the demo's proxy for the chat in turns, besides the platform's address. */
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

/** Every object in a list called `connectors`, at any depth. */
function findConnectors(value: unknown): readonly ConnectorFields[] {
  if (typeof value !== 'object' || value === null) return [];
  const here: unknown = 'connectors' in value ? value.connectors : [];
  const found = Array.isArray(here)
    ? here.filter((entry): entry is ConnectorFields => typeof entry === 'object')
    : [];
  return [...found, ...Object.values(value).flatMap(findConnectors)];
}
