/** The OpenAPI document and its page. */
export { createOpenApiRoutes } from './openapi-routes.ts';
export { createSchemaWriter } from './schema-writer.ts';
