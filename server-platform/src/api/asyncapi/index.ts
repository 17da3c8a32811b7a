/** The AsyncAPI document: the frames of the socket, from the decoders of `natter/protocol`. */
export { createAsyncApiRoutes } from './asyncapi-routes.ts';
