export { createAsyncApiRoutes } from './asyncapi-routes.ts';
