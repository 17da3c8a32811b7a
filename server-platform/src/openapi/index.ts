/** The OpenAPI document and its page. */
export { createOpenApiRoutes } from './openapi-routes.ts';
