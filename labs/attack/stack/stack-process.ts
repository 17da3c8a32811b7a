import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readlinkSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { MessagingLimits } from '@natter/platform';
import {
  type AccountEntry,
  type Agent,
  type AgentTurn,
  DEFAULT_CONNECTOR_SETTINGS,
  loadConfig,
  startPlatform,
} from '@natter/platform';
import { createTicketKey } from '@natter/token-proxy';
import { startTokenProxy } from '@natter/token-proxy/node';
import { createFileStore } from '../../../demo/site-server/file-store.ts';
import { createAgent } from '../../../server-platform/src/agents/index.ts';
import type { StackInfo } from '../attack.ts';
import { createFarEnd } from './far-end.ts';
import type { StackReport, StackRequest, Vitals } from './stack-messages.ts';

// Platform and token proxy in a separate process, with their default limits. Speaks over IPC with
// the process that started it; its arguments are the folder of the database and the limits to change, as JSON.

const KNOWLEDGE = fileURLToPath(new URL('../../../server-platform/knowledge/kittiwake', import.meta.url));
const HOST = 'example.com';
const ACCOUNT = 'harbour';
const HONEST_PROJECT = 'honest';
const ATTACKER_PROJECT = 'attackers';
const TRANSLATED_PROJECT = 'translated';
const OTHER_ACCOUNT = 'lighthouse';
const OTHER_PROJECT = 'beam';

const DESK = 'desk';
const DESK_EMAIL = 'mallory@example.com';

const secret = (prefix: string): string => `${prefix}_${randomBytes(24).toString('base64url')}`;

/** Answers each message with its own text, so that a visitor knows which answer is whose. */
const echoAgent: Agent = {
  name: 'Echo',
  avatarUrl: null,
  async *run(turn: AgentTurn) {
    yield { type: 'text' as const, text: turn.kind === 'greeting' ? 'Hello' : turn.text };
  },
};

const key = (name: string, text: string, ...permissions: readonly string[]) => ({
  ...{ name, key: text, permissions },
  ...{ legacy: false, region: null, expires: null },
});

const describeOtherAccount = ({ otherMonitoringKey }: StackInfo): AccountEntry => ({
  slug: OTHER_ACCOUNT,
  keys: [key('monitoring', otherMonitoringKey, 'monitoring')],
  projects: [{ slug: OTHER_PROJECT, agent: 'echo', contextKeys: {}, connectors: [] }],
});

function describeAccount(info: StackInfo): AccountEntry {
  const connector = (
    name: string,
    token: string,
  ): AccountEntry['projects'][number]['connectors'][number] => ({
    name,
    token,
    hosts: [{ kind: 'domain', value: HOST }],
    settings: DEFAULT_CONNECTOR_SETTINGS,
    environment: 'live',
  });
  return {
    slug: ACCOUNT,
    keys: [key('monitoring', info.monitoringKey, 'monitoring')],
    desk: {
      queues: [
        { name: 'Support', skills: [], languages: [], hours: null, timezone: 'UTC', closedText: null },
      ],
      people: [
        {
          ...{ email: info.deskEmail, name: 'Mallory', password: info.deskPassword, role: 'supervisor' },
          ...{ skills: [], languages: [], capacity: 100 },
        },
      ],
      replies: [],
    },
    projects: [
      {
        slug: HONEST_PROJECT,
        agent: 'echo',
        contextKeys: {},
        connectors: [connector('honest', info.honestToken)],
        keys: [key('honest', info.honestKey, 'conversations', 'analytics')],
      },
      {
        slug: ATTACKER_PROJECT,
        agent: 'ada',
        handoff: DESK,
        contextKeys: {},
        connectors: [connector('attackers', info.attackerToken)],
        keys: [
          key('events', info.eventsKey, 'external_events'),
          key('chat', info.chatKey, 'chat', 'conversations'),
        ],
      },
      {
        slug: TRANSLATED_PROJECT,
        agent: 'echo',
        contextKeys: {},
        connectors: [connector('translated', info.translatedToken)],
        keys: [key('translated', info.translatedKey, 'chat')],
        translation: {
          ...{ endpoint: `http://127.0.0.1:${info.farEndPort}/v1`, model: 'any' },
          ...{ apiKey: null, language: 'en' },
        },
      },
    ],
  };
}

function measure(dataDir: string): Vitals {
  // Twice: what the first pass finalises, the second one frees.
  globalThis.gc?.();
  globalThis.gc?.();
  const { rss, heapUsed, arrayBuffers } = process.memoryUsage();
  return {
    rssBytes: rss,
    heapBytes: heapUsed + arrayBuffers,
    descriptors: countDescriptors(dataDir),
    sockets: process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length,
  };
}

/** Without the files of the embedded database: it keeps them open once it has used them, as its upkeep does now and then. */
function countDescriptors(dataDir: string): number | null {
  if (process.platform !== 'linux') return null;
  return readdirSync('/proc/self/fd').filter((descriptor) => !isFileIn(dataDir, descriptor)).length;
}

function isFileIn(folder: string, descriptor: string): boolean {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`).startsWith(`${folder}/`);
  } catch {
    // Closed meanwhile, such as the one of this very list.
    return true;
  }
}

async function main(dataDir: string, limits: Partial<MessagingLimits>): Promise<void> {
  const secrets = {
    honestToken: secret('nct'),
    attackerToken: secret('nct'),
    honestKey: secret('nak'),
    eventsKey: secret('nak'),
    chatKey: secret('nak'),
    monitoringKey: secret('nak'),
    translatedToken: secret('nct'),
    translatedKey: secret('nak'),
    otherMonitoringKey: secret('nak'),
    deskPassword: secret('password'),
  };
  const farEnd = createFarEnd().listen(0, '127.0.0.1');
  await once(farEnd, 'listening');
  const { port: farEndPort } = farEnd.address() as AddressInfo;
  const names = {
    host: HOST,
    account: ACCOUNT,
    honestProject: HONEST_PROJECT,
    attackerProject: ATTACKER_PROJECT,
    translatedProject: TRANSLATED_PROJECT,
    otherProject: OTHER_PROJECT,
    farEndPort,
    deskEmail: DESK_EMAIL,
    dataDir,
    filesDir: join(dataDir, '..', 'files'),
  };
  const files = createFileStore(names.filesDir, () => 'https://files.example.com');
  const ada = await createAgent({
    ...{ kind: 'knowledge', name: 'Ada', knowledgeFolder: KNOWLEDGE },
    handoff: { destination: 'service-desk', managed: 'server', queueName: 'Support' },
    eventFlows: [
      {
        ...{ name: 'payment', phrases: ['pay my balance'], text: 'Pay at {event_id} now.' },
        ...{ receivedText: 'It has arrived.', timedOutText: 'Nothing came.', timeoutMs: 600_000 },
      },
    ],
  });
  const config = await loadConfig({}, {});
  const info = { ...secrets, ...names, platformPort: 0, proxyPort: 0 };
  const far = { url: `http://127.0.0.1:${farEndPort}`, apiKey: null, model: 'any', voice: 'any' };
  const platform = await startPlatform({
    config: {
      ...config,
      rest: { ...config.rest, voice: { ...config.rest.voice, endpoints: { far } } },
      handoffProviders: new Map([
        ...config.handoffProviders,
        [DESK, { kind: 'desk', offerMs: 30_000, returnMs: 120_000 }],
      ]),
    },
    host: '127.0.0.1',
    port: 0,
    dataDir,
    // The calls alone: no page is built here.
    ...{ hasConsole: true, consoleUrl: 'http://127.0.0.1/console' },
    accounts: [describeAccount(info), describeOtherAccount(info)],
    agents: new Map([
      ['echo', echoAgent],
      ['ada', ada],
    ]),
    limits,
  });
  const proxy = await startTokenProxy({
    upstreamUrl: platform.url,
    websocketUrl: `ws://127.0.0.1:${platform.port}/ws`,
    connectors: {
      default: { token: secrets.honestToken, host: HOST },
      attackers: { token: secrets.attackerToken, host: HOST },
    },
    ticketKeys: [createTicketKey()],
    allowedOrigins: [`https://${HOST}`],
    allowRequestsWithoutOrigin: true,
    uploads: { onUpload: files.onUpload },
    // All honest visitors come from one address.
    limits: { sessionsPerClient: 30 },
    ...(limits.keepAliveMs !== undefined && { keepAliveMs: limits.keepAliveMs }),
    ...(limits.requestHeadersMs !== undefined && { headersTimeoutMs: limits.requestHeadersMs }),
    // With uploads, the time of every other body is the deadline's.
    ...(limits.requestMs !== undefined && {
      requestTimeoutMs: limits.requestMs,
      deadlineMs: limits.requestMs,
    }),
  });
  const send = (report: StackReport): void => void process.send?.(report);
  process.on('message', (message) => {
    // Sent by `stack.ts` from the same type.
    const request = message as StackRequest;
    if (request.ask === 'measure') {
      send({ kind: 'vitals', id: request.id, vitals: measure(dataDir) });
      return;
    }
    void proxy
      .close()
      .then(() => platform.close())
      .then(() => {
        farEnd.close().closeAllConnections();
        send({ kind: 'stopped', id: request.id });
        process.disconnect();
      });
  });
  const proxyPort = Number(new URL(proxy.url).port);
  send({ kind: 'ready', info: { ...secrets, ...names, platformPort: platform.port, proxyPort } });
}

// The stack ends with the process that started it.
process.on('disconnect', () => process.exit(0));
const [dataDir = '', limits = '{}'] = process.argv.slice(2);
await main(dataDir, JSON.parse(limits) as Partial<MessagingLimits>);
