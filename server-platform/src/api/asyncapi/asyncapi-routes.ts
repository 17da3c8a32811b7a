import { Hono } from 'hono';
import type { PlatformEnv } from '../../kit/http/index.ts';
import { readPackageVersion } from '../../kit/package-files.ts';
import { buildAsyncApi } from './build-asyncapi.ts';

/** `/asyncapi.json`: the socket's frames in both directions, for the address of the request. Public. */
export function createAsyncApiRoutes(): Hono<PlatformEnv> {
  const version = readPackageVersion();
  const app = new Hono<PlatformEnv>();
  app.get('/asyncapi.json', (context) => {
    const { host, protocol } = new URL(context.req.url);
    // Set by a proxy that terminates TLS. A wrong value only affects the sender's own copy.
    const isSecure = protocol === 'https:' || context.req.header('x-forwarded-proto') === 'https';
    return context.json(buildAsyncApi(version, { host, protocol: isSecure ? 'wss' : 'ws' }), 200, {
      // Browser tools read it from other origins; it contains no secrets.
      'Access-Control-Allow-Origin': '*',
    });
  });
  return app;
}
