import type { Service } from '@natter/sdk';
import { Hono } from 'hono';
import type { PlatformEnv } from '../../kit/http/index.ts';
import { readPackageVersion } from '../../kit/package-files.ts';
import type { RestSettings } from '../rest/index.ts';
import { buildOpenApi, type DescribedOperation } from './build-openapi.ts';
import { type ReferenceScript, readReferenceScript } from './reference-script.ts';

// Scalar sets styles at run time. Requests go to this platform only; Scalar's fonts and proxy are not used.
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const PAGE_SETTINGS = {
  url: 'openapi.json',
  // Scalar's own fonts, telemetry and services are on other hosts.
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
};

const START_SCRIPT = `Scalar.createApiReference('#reference', ${JSON.stringify(PAGE_SETTINGS)});\n`;

/**
 * `/openapi.json` and `/reference`: all HTTP operations of this deployment, from the schemas that validate requests.
 * Public, like the contract. `more` are operations that the SDK does not call.
 */
export function createOpenApiRoutes(
  settings: RestSettings,
  more: readonly DescribedOperation[] = [],
): Hono<PlatformEnv> {
  const version = readPackageVersion();
  const document = buildOpenApi({
    version,
    servers: { runtime: serverOf(settings, 'runtime'), monitoring: serverOf(settings, 'monitoring') },
    vendorNames: settings.vendorNames,
    more,
  });
  const json = JSON.stringify(document);
  let script: Promise<ReferenceScript> | null = null;
  const app = new Hono<PlatformEnv>();
  app.get('/openapi.json', (context) =>
    context.body(json, 200, {
      'Content-Type': 'application/json; charset=utf-8',
      // Browser tools read it from other origins; it contains no secrets.
      'Access-Control-Allow-Origin': '*',
    }),
  );
  app.get('/reference', async (context) => {
    script ??= readReferenceScript();
    const { hash } = await script;
    return context.body(renderPage(version, hash), 200, {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': POLICY,
      'X-Content-Type-Options': 'nosniff',
    });
  });
  app.get('/reference/start.js', (context) => context.body(START_SCRIPT, 200, javascript('no-cache')));
  app.get('/reference/scalar.js', async (context) => {
    script ??= readReferenceScript();
    const { compressed } = await script;
    const headers = javascript('public, max-age=31536000, immutable');
    if (/\bgzip\b/.test(context.req.header('accept-encoding') ?? ''))
      return context.body(compressed, 200, { ...headers, 'Content-Encoding': 'gzip' });
    const plain = new Blob([compressed]).stream().pipeThrough(new DecompressionStream('gzip'));
    return context.body(plain, 200, headers);
  });
  return app;
}

function javascript(caching: string): Record<string, string> {
  return {
    'Content-Type': 'text/javascript; charset=utf-8',
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': caching,
    Vary: 'Accept-Encoding',
  };
}

/** Renders the page with relative addresses, so that it also works below a proxy's path. */
function renderPage(version: string, scriptHash: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Natter API ${version}</title>
<link rel="icon" href="data:,">
</head>
<body>
<noscript>This page needs JavaScript. <a href="openapi.json">openapi.json</a> is the same as OpenAPI 3.1.</noscript>
<div id="reference"></div>
<script src="reference/scalar.js?${scriptHash}"></script>
<script src="reference/start.js"></script>
</body>
</html>
`;
}

/** A service without a separate host uses the document's host. */
function serverOf({ hosts }: RestSettings, service: Service): string {
  const host = hosts[service];
  const [region = ''] = host?.regions ?? [];
  return host === null ? '/' : `https://${host.pattern.replace('{region}', region)}`;
}
