/** The OpenAPI document and its page. */
export type { DescribedOperation } from './build-openapi.ts';
export { createOpenApiRoutes } from './openapi-routes.ts';
export { createSchemaWriter } from './schema-writer.ts';
