import type { Hono } from 'hono';
import { createPersonApp, describePersonApp } from '../desk/index.ts';
import type { PlatformEnv } from '../kit/http/index.ts';
import type { ConsoleRoute, ConsoleServer } from './console-call.ts';
import { CONVERSATION_ROUTES } from './conversation-routes.ts';
import { ARTICLE_ROUTES } from './knowledge/article-routes.ts';
import { EVALUATION_ROUTES } from './knowledge/evaluation-routes.ts';
import { LIVE_ROUTES } from './live-routes.ts';
import { ME_ROUTES } from './me-routes.ts';
import { ALERT_ROUTES } from './monitoring/alert-routes.ts';
import { RECEIVER_ROUTES } from './monitoring/receiver-routes.ts';
import { WEBHOOK_ROUTES } from './monitoring/webhook-routes.ts';
import { CONNECTOR_ROUTES } from './operations/connector-routes.ts';
import { KEY_ROUTES } from './operations/key-routes.ts';
import { OPERATIONS_ROUTES } from './operations/operations-routes.ts';
import { RETENTION_ROUTES } from './operations/retention-routes.ts';
import { OVERVIEW_ROUTES } from './overview-routes.ts';
import { SITE_CHECK_ROUTES } from './site-check/site-check-routes.ts';
import { TRY_ROUTES } from './try-routes.ts';

/** Every call of the console. */
export const CONSOLE_ROUTES: readonly ConsoleRoute[] = [
  ...ME_ROUTES,
  ...CONVERSATION_ROUTES,
  ...LIVE_ROUTES,
  ...OVERVIEW_ROUTES,
  ...OPERATIONS_ROUTES,
  ...KEY_ROUTES,
  ...CONNECTOR_ROUTES,
  ...RETENTION_ROUTES,
  ...ALERT_ROUTES,
  ...WEBHOOK_ROUTES,
  ...RECEIVER_ROUTES,
  ...TRY_ROUTES,
  ...SITE_CHECK_ROUTES,
  ...ARTICLE_ROUTES,
  ...EVALUATION_ROUTES,
];

/** The calls of the console's page, below `/console/api`. */
export function createConsoleApp(server: ConsoleServer): Hono<PlatformEnv> {
  const description = describePersonApp('Natter console', '/console/api', CONSOLE_ROUTES);
  return createPersonApp(server, CONSOLE_ROUTES).get('/openapi.json', (context) => context.json(description));
}
