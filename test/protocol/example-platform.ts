import {
  createLogger,
  DEFAULT_CONNECTOR_SETTINGS,
  loadConfig,
  type Platform,
  type PlatformConfig,
  startPlatform,
} from '@natter/platform';
import { ferryAgent } from './ferry-agent.ts';
import { ferryDesk } from './ferry-desk.ts';

/** Values of the placeholders in examples: `{connector_token}` is `connector_token`. */
export const CREDENTIALS = {
  connector_token: 'the-connector-token-of-the-examples',
  survey_connector_token: 'the-survey-connector-of-the-examples',
  runtime_key: 'the-runtime-key-of-the-examples',
  legacy_key: 'the-legacy-key-of-the-examples',
  events_key: 'the-key-for-events-of-the-examples',
  numbers_key: 'the-key-for-numbers-of-the-examples',
  monitoring_key: 'the-monitoring-key-of-the-examples',
  erasure_key: 'the-erasure-key-of-the-examples',
  context_secret: 'the secret that signs verified contexts',
} as const;

/** Starts the platform for the examples of the documents. It stores nothing. */
export async function startExamplePlatform(rest: Partial<PlatformConfig['rest']> = {}): Promise<Platform> {
  const key = (name: string, value: string, permissions: readonly string[], legacy = false) => ({
    ...{ name, key: value, permissions, legacy },
    ...{ region: null, expires: null },
  });
  const connector = (name: string, token: string, settings: object) => ({
    name,
    token,
    hosts: [{ kind: 'domain' as const, value: 'shop.example.com' }],
    environment: 'live',
    settings: { ...DEFAULT_CONNECTOR_SETTINGS, ...settings },
  });
  const config = await loadConfig({}, {});
  return startPlatform({
    config: { ...config, rest: { ...config.rest, ...rest } },
    dataDir: 'memory',
    port: 0,
    logger: createLogger('silent'),
    agents: new Map([['ada', ferryAgent]]),
    handoffProviders: [ferryDesk],
    limits: {
      sessionsPerMinute: 10_000,
      accessTokensPerMinute: 10_000,
      // One second more than the idle warning, so that the warning comes after a second.
      inactivityMs: 61_000,
      shutdownJitterMs: 0,
      shutdownGraceMs: 0,
    },
    accounts: [
      {
        slug: 'kittiwake',
        keys: [
          key('legacy', CREDENTIALS.legacy_key, ['conversations'], true),
          key('monitoring', CREDENTIALS.monitoring_key, ['monitoring', 'conversations']),
        ],
        projects: [
          {
            slug: 'web',
            agent: 'ada',
            contextKeys: { 'key-1': CREDENTIALS.context_secret },
            numbers: ['+441632960001', '+441632960002'],
            keys: [
              key('runtime', CREDENTIALS.runtime_key, ['chat', 'conversations', 'analytics', 'handoff']),
              key('events', CREDENTIALS.events_key, ['external_events']),
              key('numbers', CREDENTIALS.numbers_key, ['dni']),
              key('erasure', CREDENTIALS.erasure_key, ['erasure']),
            ],
            connectors: [
              connector('website', CREDENTIALS.connector_token, {
                handoffRoute: 'tel:+441632960001',
                receipts: true,
              }),
              connector('survey', CREDENTIALS.survey_connector_token, {
                csat: true,
                idleWarning: true,
                handoffTimeoutSeconds: 1,
              }),
            ],
          },
        ],
      },
    ],
  });
}
