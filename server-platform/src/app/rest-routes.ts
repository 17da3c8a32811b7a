import type { Hono } from 'hono';
import { createAsyncApiRoutes } from '../api/asyncapi/index.ts';
import { createOpenApiRoutes } from '../api/openapi/index.ts';
import { createRestApp, type RestFamily, type RestRoute } from '../api/rest/index.ts';
import { DESK_EVENTS } from '../handoff/providers/index.ts';
import type { PlatformEnv } from '../kit/http/index.ts';
import { createDocumentation } from './documentation.ts';

/** The operations of all route groups. */
export const routesOf = (families: readonly RestFamily[]): readonly RestRoute[] =>
  families.flatMap(({ routes }) => routes);

/** Creates the routes and pages of the route groups, and the API documents. */
export function createRestRoutes(
  families: readonly RestFamily[],
  options: Omit<Parameters<typeof createRestApp>[0], 'routes'>,
): Hono<PlatformEnv> {
  const rest = createRestApp({ ...options, routes: routesOf(families) });
  for (const [path, page] of families.flatMap(({ pages = {} }) => Object.entries(pages)))
    rest.route(path, page);
  rest.route('/docs', createDocumentation());
  return rest
    .route('/', createOpenApiRoutes(options.settings, [DESK_EVENTS]))
    .route('/', createAsyncApiRoutes());
}
