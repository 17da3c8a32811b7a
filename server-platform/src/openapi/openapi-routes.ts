import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { buildOpenApi, type Service } from '@natter/sdk';
import { Hono } from 'hono';
import type { PlatformEnv } from '../http/platform-app.ts';
import type { RestSettings } from '../rest/rest-settings.ts';
import { REFERENCE_STYLE } from './reference-style.ts';
import { renderReference } from './render-reference.ts';

const PACKAGE = new URL('../../package.json', import.meta.url);

/**
 * `/openapi.json` and `/reference`: the REST families as this deployment serves them, from the schemas that validate
 * their requests. Open to everybody: it says nothing that the contract does not.
 */
export function createOpenApiRoutes(settings: RestSettings): Hono<PlatformEnv> {
  const document = buildOpenApi({
    version: readVersion(),
    servers: { runtime: serverOf(settings, 'runtime'), monitoring: serverOf(settings, 'monitoring') },
    vendorNames: settings.vendorNames,
  });
  const json = JSON.stringify(document);
  const page = renderReference(document);
  const style = createHash('sha256').update(REFERENCE_STYLE).digest('base64');
  const app = new Hono<PlatformEnv>();
  app.get('/openapi.json', (context) =>
    context.body(json, 200, {
      'Content-Type': 'application/json; charset=utf-8',
      // Tools in a browser read it from elsewhere; there is nothing in it to protect.
      'Access-Control-Allow-Origin': '*',
    }),
  );
  app.get('/reference', (context) =>
    context.body(page, 200, {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${style}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      'X-Content-Type-Options': 'nosniff',
    }),
  );
  return app;
}

/** Without a host of its own a service is where the document is. */
function serverOf({ hosts }: RestSettings, service: Service): string {
  const host = hosts[service];
  const [region = ''] = host?.regions ?? [];
  return host === null ? '/' : `https://${host.pattern.replace('{region}', region)}`;
}

function readVersion(): string {
  const { version }: { readonly version?: unknown } = JSON.parse(readFileSync(PACKAGE, 'utf8'));
  if (typeof version !== 'string') throw new Error('The package has no version.');
  return version;
}
