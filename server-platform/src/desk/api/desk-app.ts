import type { Hono } from 'hono';
import type { PlatformEnv } from '../../kit/http/index.ts';
import { CONTACT_ROUTES } from './contact-routes.ts';
import { describePersonApp } from './describe-person-app.ts';
import type { DeskRoute, DeskServer } from './desk-call.ts';
import { OIDC_ROUTES } from './oidc-routes.ts';
import { PEOPLE_ROUTES } from './people-routes.ts';
import { createPersonApp } from './person-app.ts';
import { PERSON_ROUTES } from './person-routes.ts';
import { REPLY_ROUTES } from './reply-routes.ts';
import { REQUEST_ROUTES } from './request-routes.ts';
import { SERVICE_LEVEL_ROUTES } from './service-level-routes.ts';

/** Every call of the desk. */
export const DESK_ROUTES: readonly DeskRoute[] = [
  ...OIDC_ROUTES,
  ...PERSON_ROUTES,
  ...PEOPLE_ROUTES,
  ...REQUEST_ROUTES,
  ...REPLY_ROUTES,
  ...CONTACT_ROUTES,
  ...SERVICE_LEVEL_ROUTES,
];

/** The calls of desks, below `/desk/api`. */
export function createDeskApp(server: DeskServer): Hono<PlatformEnv> {
  // Written once, because any client may request it and it takes milliseconds.
  const description = describePersonApp('Natter desk', '/desk/api', DESK_ROUTES);
  return createPersonApp(server, DESK_ROUTES).get('/openapi.json', (context) => context.json(description));
}
