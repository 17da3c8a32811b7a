import { Hono } from 'hono';
import type { PlatformEnv } from '../../kit/http/index.ts';
import { readPackageVersion } from '../../kit/package-files.ts';
import { buildAsyncApi } from './build-asyncapi.ts';

/** `/asyncapi.json`: the socket's frames in both directions, at the address that the request came to. Open to everybody. */
export function createAsyncApiRoutes(): Hono<PlatformEnv> {
  const version = readPackageVersion();
  const app = new Hono<PlatformEnv>();
  app.get('/asyncapi.json', (context) => {
    const { host, protocol } = new URL(context.req.url);
    // A proxy that ends TLS says so in this header. A wrong one changes nothing but the sender's own copy.
    const isSecure = protocol === 'https:' || context.req.header('x-forwarded-proto') === 'https';
    return context.json(buildAsyncApi(version, { host, protocol: isSecure ? 'wss' : 'ws' }), 200, {
      // Tools in a browser read it from elsewhere; there is nothing in it to protect.
      'Access-Control-Allow-Origin': '*',
    });
  });
  return app;
}
