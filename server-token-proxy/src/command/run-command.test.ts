import { expect, it } from 'vitest';
import { isTicketKey } from '../sessions/ticket-key.ts';
import { ENVIRONMENT } from './read-environment.ts';
import { runCommand } from './run-command.ts';

async function run(words: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const said = { out: '', err: '' };
  const code = await runCommand(words, {
    environment,
    stdout: { write: (text) => (said.out += text) },
    stderr: { write: (text) => (said.err += text) },
  });
  return { code, ...said };
}

it('natter-token-proxy key prints a fresh ticket key', async () => {
  const { code, out } = await run(['key']);
  expect(code).toBe(0);
  expect(isTicketKey(out.trim())).toBe(true);
  expect((await run(['key'])).out).not.toBe(out);
});

it('natter-token-proxy --help explains every variable', async () => {
  const { code, out } = await run(['--help']);
  expect(code).toBe(0);
  for (const { name, purpose } of ENVIRONMENT) expect(out).toContain(`  ${name}\n      ${purpose}`);
});

it('natter-token-proxy names the missing settings and fails', async () => {
  const { code, out, err } = await run([], { NATTER_UPSTREAM_URL: 'https://messaging.example.com' });
  expect([code, out]).toEqual([1, '']);
  expect(err).toMatch(
    /cannot start[\s\S]*NATTER_CONNECTOR_TOKEN is missing[\s\S]*NATTER_TICKET_KEYS is missing/,
  );
  expect(err).not.toContain('NATTER_UPSTREAM_URL');
});

it('natter-token-proxy refuses unknown commands', async () => {
  const { code, err } = await run(['serve']);
  expect(code).toBe(2);
  expect(err).toContain('Unknown command: "serve"');
});
