import { loadConfig } from '../../../src/app/config/index.ts';
import type { PlatformOptions } from '../../../src/app/platform-options.ts';
import { createLogger } from '../../../src/kit/logger.ts';

/** Where the deliveries are kept that survive a crash. */
export type WebhookCrashPlace = { readonly databaseUrl: string } | { readonly dataDir: string };

/** A key for the monitoring families of the account. */
export const CRASH_MONITORING_KEY = 'a-monitoring-key-for-the-tests';

/** Options of the platform before and after a crash. It evaluates every second and delivers to this machine. */
export async function createWebhookCrashOptions(place: WebhookCrashPlace): Promise<PlatformOptions> {
  const config = await loadConfig({}, {});
  return {
    ...place,
    config: { ...config, rest: { ...config.rest, alertEvaluationSeconds: 1, webhookPrivateAddresses: true } },
    port: 0,
    tokenSecret: 'a secret of the tests that is long enough',
    logger: createLogger('silent'),
    limits: { shutdownJitterMs: 0 },
    accounts: [
      {
        slug: 'crash',
        keys: [
          {
            name: 'monitoring',
            key: CRASH_MONITORING_KEY,
            permissions: ['monitoring'],
            legacy: false,
            region: null,
            expires: null,
          },
        ],
        projects: [],
      },
    ],
  };
}
