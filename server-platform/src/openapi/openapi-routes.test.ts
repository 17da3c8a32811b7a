import { operations } from '@natter/sdk';
import { describe, expect, it } from 'vitest';
import { DEFAULT_REST_SETTINGS } from '../rest/rest-settings.ts';
import { createOpenApiRoutes } from './openapi-routes.ts';

const get = async (path: string, settings = DEFAULT_REST_SETTINGS): Promise<Response> =>
  await createOpenApiRoutes(settings).request(path);

describe('the description of the REST families', () => {
  it('is OpenAPI 3.1 and holds every operation that is validated', async () => {
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
    expect(found.sort()).toEqual(operations.map(({ id }) => id).sort());
  });

  it('names the hosts of the deployment, and its names (section 2)', async () => {
    const hosts = {
      runtime: { pattern: 'api.{region}.example.com', regions: ['us-1'] },
      monitoring: null,
    };
    const answer = await get('/openapi.json', { ...DEFAULT_REST_SETTINGS, hosts, vendorNames: true });
    const text = await answer.text();
    expect(text).toContain('https://api.us-1.example.com');
    expect(text).toContain('polyai_duration');
  });
});

describe('the reference page', () => {
  it('shows every operation, parameter and object, and links to nothing that is not there', async () => {
    const page = await (await get('/reference')).text();
    for (const { id, path } of operations) {
      expect(page).toContain(`<article id="${id}">`);
      expect(page).toContain(`<code>${path}</code>`);
    }
    const ids = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    const targets = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    expect(targets.length).toBeGreaterThan(operations.length);
    expect(targets.filter((target) => !ids.has(target))).toEqual([]);
    expect(page).toContain('1 to 5000');
  });

  it('needs no script and nothing from elsewhere, and forbids both', async () => {
    const answer = await get('/reference');
    const page = await answer.text();
    expect(page).not.toMatch(/<script|<link|<img|<iframe| on\w+=| style=|src=|href="[^#/]/);
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]{43}='/);
    const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(page) ?? [];
    const hash = Buffer.from(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(style)));
    expect(policy).toContain(hash.toString('base64'));
  });
});
