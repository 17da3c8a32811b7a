import { readFileSync } from 'node:fs';
import { contentSecurityPolicy, type WidgetSources } from '@natter/token-proxy';
import { expect, it } from 'vitest';

const page = readFileSync(new URL('../../docs/security.md', import.meta.url), 'utf8');
const headers = page.match(/^default-src .*$/gm) ?? [];

it('docs/security.md prints the policy that the generator writes', () => {
  expect(headers).toHaveLength(2);
  const [, call = ''] = /^contentSecurityPolicy\((\{[^}]*\})\);$/m.exec(page) ?? [];
  const options = new Function(`return ${call}`)() as WidgetSources;
  expect(contentSecurityPolicy(options)).toBe(headers[1]);
  const { endpoint, platform } = options;
  expect(contentSecurityPolicy({ endpoint, platform })).toBe(headers[0]);
});

it.each([
  ['wss://platform.example.com/', 'wss://platform.example.com'],
  ['https://platform.example.com', 'wss://platform.example.com'],
  ['HTTPS://Platform.example.com', 'wss://platform.example.com'],
  ['http://127.0.0.1:8080', 'ws://127.0.0.1:8080'],
  ['platform.example.com', 'wss://platform.example.com'],
])('the policy allows the socket of the platform %s as %s', (platform, source) => {
  const policy = contentSecurityPolicy({ endpoint: 'https://chat.example', platform });
  expect(policy).toContain(`connect-src https://chat.example ${source};`);
});

it('docs/security.md has every option of the generator and no other', () => {
  const source = readFileSync(
    new URL('../../server-token-proxy/src/embed-files/content-security-policy.ts', import.meta.url),
    'utf8',
  );
  const [body = ''] = /interface WidgetSources \{[^}]*\}/.exec(source) ?? [];
  const names = [...body.matchAll(/^ {2}readonly (\w+)/gm)].map(([, name]) => name);
  const table = page.slice(page.indexOf('| Option | Means |')).split('\n\n')[0] ?? '';
  expect([...table.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name)).toEqual(names);
});

it.each([
  "https://x.example'; script-src *",
  'https://x.example; a',
  'x y',
  "'unsafe-inline'",
  '*',
  'data:',
  '',
])('the policy generator writes no directive for %j', (address) => {
  expect(() => contentSecurityPolicy({ endpoint: 'https://chat.example', images: [address] })).toThrow(
    TypeError,
  );
  expect(() => contentSecurityPolicy({ endpoint: address })).toThrow(TypeError);
});
