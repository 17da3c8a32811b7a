import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPlatformApp } from '../kit/http/platform-app.ts';
import { createConsolePages, leadToConsole } from './console-pages.ts';

describe('the page of the console', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'natter-console-'));
    await mkdir(join(folder, 'assets'));
    await writeFile(join(folder, 'index.html'), '<p>desk</p>');
    await writeFile(join(folder, 'preview.html'), '<p>preview</p>');
    await writeFile(join(folder, 'assets', 'index-1.js'), 'let a;');
  });
  afterAll(() => rm(folder, { recursive: true }));

  const get = async (path: string): Promise<Response> => {
    const app = createPlatformApp({
      routes: { '/console': createConsolePages(folder) },
      trustedProxyHops: 0,
      isReady: async () => true,
      onFailure() {},
    });
    return await app.fetch(new Request(`http://localhost${path}`));
  };

  it('comes with its files under a strict policy, and nothing else comes', async () => {
    expect((await get('/console')).headers.get('location')).toBe('/console/');
    const page = await get('/console/');
    expect([await page.text(), page.headers.get('cache-control')]).toEqual(['<p>desk</p>', 'no-cache']);
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'; style-src 'self'");
    const script = await get('/console/assets/index-1.js');
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(script.headers.get('cache-control')).toContain('immutable');
    for (const path of ['/console/assets', '/console/none.js', '/console/..%2f..%2fetc/passwd'])
      expect((await get(path)).status).toBe(404);
  });

  it('talks to its own origin alone, shows nothing but that in frames, and is in a frame nowhere', async () => {
    for (const path of ['/console/', '/console/install']) {
      const policy = (await get(path)).headers.get('content-security-policy');
      expect(policy).toMatch(/; connect-src 'self';.*; frame-src 'self';.*; frame-ancestors 'none'$/);
    }
  });

  it('lets nothing out of the preview of a set-up while a script answers', async () => {
    const policyOf = async (path: string) => (await get(path)).headers.get('content-security-policy') ?? '';
    for (const path of ['/console/preview.html', '/console/preview.html?answers=script']) {
      const policy = await policyOf(path);
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("connect-src 'none'; img-src 'self' data: blob:;");
      expect(policy).not.toMatch(/font-src|media-src|\*/);
    }
    expect(await policyOf('/console/preview.html?answers=proxy')).toContain('connect-src * ws: wss:;');
    expect(await policyOf('/console/preview.html?answers=proxy')).toContain("frame-ancestors 'self'");
  });

  it('is the same at the address of every view', async () => {
    for (const path of ['/console/conversations', '/console/conversations/CONV-1?project=web']) {
      const page = await get(path);
      expect([path, await page.text()]).toEqual([path, '<p>desk</p>']);
    }
  });

  it('leads to the same page of a development server, with its parameters', async () => {
    const pages = leadToConsole('http://localhost:7400/console/');
    const locationOf = async (path: string) =>
      (await pages.request(`http://localhost${path}`)).headers.get('location');
    expect(await locationOf('/console')).toBe('http://localhost:7400/console/');
    expect(await locationOf('/console/')).toBe('http://localhost:7400/console/');
    expect(await locationOf('/console/conversations/CONV-1?project=web')).toBe(
      'http://localhost:7400/console/conversations/CONV-1?project=web',
    );
    // Another host is no page of the console.
    expect(await locationOf('/console//example.com/')).toMatch(/^http:\/\/localhost:7400\//);
  });

  it('needs to be built', () => {
    expect(() => createConsolePages(join(folder, 'none'))).toThrow('npm run build -- console');
  });
});
