import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { operations } from '@natter/sdk';
import { describe, expect, it } from 'vitest';
import { DEFAULT_REST_CONFIG } from '../../app/config/rest-config.ts';
import { createOpenApiRoutes } from './openapi-routes.ts';
import { readReferenceScript } from './reference-script.ts';

const get = async (path: string, settings = DEFAULT_REST_CONFIG): Promise<Response> =>
  await createOpenApiRoutes(settings).request(path);

describe('the description of the HTTP operations', () => {
  it('serves an OpenAPI 3.1 document with every operation', async () => {
    const answer = await get('/openapi.json');
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const document: {
      openapi: string;
      paths: Record<string, Record<string, { operationId?: string }>>;
    } = JSON.parse(await answer.text());
    expect(document.openapi).toBe('3.1.0');
    const found = Object.values(document.paths).flatMap((item) =>
      Object.values(item).flatMap(({ operationId }) => operationId ?? []),
    );
    const setup = ['accessTokenCreate', 'sessionCreate', 'sessionContextSubmit'];
    expect(found.sort()).toEqual([...operations.map(({ id }) => id), ...setup].sort());
  });

  it('names hosts and names of the deployment in the OpenAPI document (section 2)', async () => {
    const hosts = {
      runtime: { pattern: 'api.{region}.example.com', regions: ['us-1'] },
      monitoring: null,
    };
    const answer = await get('/openapi.json', { ...DEFAULT_REST_CONFIG, hosts, vendorNames: true });
    const text = await answer.text();
    expect(text).toContain('https://api.us-1.example.com');
    expect(text).toContain('polyai_duration');
  });
});

describe('the reference page', () => {
  it('loads only scripts of this platform on the reference page', async () => {
    const answer = await get('/reference');
    const page = await answer.text();
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'; script-src 'self'");
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval|script-src[^;]*unsafe/);
    const scripts = [...page.matchAll(/<script src="([^"]+)"><\/script>/g)].map(([, source]) => source ?? '');
    expect(scripts).toHaveLength(2);
    for (const source of scripts) {
      const script = await get(new URL(source, 'http://platform/reference').pathname);
      expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
      expect(await script.text()).toContain('createApiReference');
    }
    expect(page.replaceAll(/<script src="[^"]+"><\/script>/g, '')).not.toMatch(/<script| on\w+=|https?:/);
  });

  it('serves the large script compressed to browsers that accept it, with the same content', async () => {
    const app = createOpenApiRoutes(DEFAULT_REST_CONFIG);
    const compressed = await app.request('/reference/scalar.js', {
      headers: { 'Accept-Encoding': 'br, gzip' },
    });
    expect(compressed.headers.get('content-encoding')).toBe('gzip');
    const plain = await app.request('/reference/scalar.js');
    expect(plain.headers.get('content-encoding')).toBeNull();
    const bytes = gunzipSync(new Uint8Array(await compressed.arrayBuffer()));
    expect(bytes.equals(new Uint8Array(await plain.arrayBuffer()))).toBe(true);
  });

  it('serves the script of the published package if it is installed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'natter-reference-'));
    const file = pathToFileURL(join(folder, 'scalar.js.gz'));
    const { hash } = await readReferenceScript(file);
    await writeFile(file, 'packed');
    const packed = await readReferenceScript(file);
    expect(new TextDecoder().decode(packed.compressed)).toBe('packed');
    expect(packed.hash).not.toBe(hash);
    await rm(folder, { recursive: true });
  });
});
