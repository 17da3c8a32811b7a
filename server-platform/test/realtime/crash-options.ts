import { DEFAULT_CONNECTOR_SETTINGS } from '../../src/accounts/index.ts';
import type { PlatformOptions } from '../../src/app/platform-options.ts';
import { createLogger } from '../../src/kit/logger.ts';
import { type AgentScript, createScriptedAgent } from './scripted-agent.ts';

/** Where the conversations are kept that survive a crash. */
export type CrashPlace =
  | { readonly databaseUrl: string; readonly busUrl?: string }
  | { readonly dataDir: string };

export const CRASH_CONNECTOR_TOKEN = 'a-connector-token-for-tests';
export const CRASH_EVENTS_KEY = 'an-external-events-key-for-tests';
/** Name of the event that the agent waits for on request. */
export const CRASH_EVENT_ID = 'evt_01HF2MNW2ZQ1Z8E2S3JABCDEFG';

/** The secret of all these platforms. */
export const CRASH_TOKEN_SECRET = 'a secret of the tests that is long enough';

/** Log after an answer interrupted by a crash, and a question answered after it. */
export const BROKEN_OFF: readonly string[] = [
  'SESSION_START',
  'REQUEST_AGENT_JOIN',
  'AGENT_JOINED',
  'AGENT_MESSAGE_CHUNK',
  'USER_MESSAGE',
  'AGENT_MESSAGE_CHUNK',
  'SYSTEM_MESSAGE',
  'USER_MESSAGE',
  'AGENT_MESSAGE_CHUNK',
];

/** Options of the platform before and after a crash. Only its agent differs. */
export function createCrashOptions(place: CrashPlace, script: AgentScript): PlatformOptions {
  return {
    ...place,
    port: 0,
    tokenSecret: CRASH_TOKEN_SECRET,
    logger: createLogger('silent'),
    limits: { shutdownJitterMs: 0 },
    agents: new Map([['scripted', createScriptedAgent(script)]]),
    accounts: [
      {
        slug: 'crash',
        projects: [
          {
            slug: 'crash',
            agent: 'scripted',
            contextKeys: {},
            keys: [
              {
                name: 'events',
                key: CRASH_EVENTS_KEY,
                permissions: ['external_events'],
                legacy: false,
                region: null,
                expires: null,
              },
            ],
            connectors: [
              {
                name: 'web',
                token: CRASH_CONNECTOR_TOKEN,
                hosts: [{ kind: 'domain', value: 'localhost' }],
                environment: 'live',
                settings: DEFAULT_CONNECTOR_SETTINGS,
              },
            ],
          },
        ],
      },
    ],
  };
}
