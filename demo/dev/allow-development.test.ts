import { expect, it } from 'vitest';
import { demoPolicy } from '../site-server/content-security-policy.ts';
import { allowDevelopment } from './allow-development.ts';

const SOURCES = { origin: 'http://localhost:7400', nonce: 'abc' };

it('a policy gets the sources of the development server where it has a directive for them', () => {
  expect(
    allowDevelopment("default-src 'none'; script-src 'self'; style-src 'none'; connect-src a", SOURCES),
  ).toBe(
    "default-src 'none'; script-src 'self' http://localhost:7400; style-src 'nonce-abc'; connect-src a http://localhost:7400 ws://localhost:7400",
  );
  expect(allowDevelopment("frame-ancestors 'self'", SOURCES)).toBe("frame-ancestors 'self'");
});

it("a page of the site allows no style but the development server's, and no inline script", () => {
  const policy = demoPolicy({
    proxy: 'http://localhost:7401',
    socket: 'ws://localhost:7403',
    platform: 'http://localhost:7402',
  });
  const allowed = allowDevelopment(policy, SOURCES);
  expect(policy).not.toContain('nonce');
  expect(allowed).toContain("style-src 'self' 'nonce-abc';");
  expect(allowed).not.toContain('unsafe');
});
