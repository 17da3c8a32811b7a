import { expect, it } from 'vitest';
import { parseAgentConfig } from '../../agents/index.ts';
import { loadConfig, type PlatformConfig } from './load-config.ts';
import { loadConfiguredAgents } from './load-configured-agents.ts';

const SECRET = 'a-secret-of-tests-with-32-characters';

async function configWith(url: string, allowsPrivateAddresses: boolean): Promise<PlatformConfig> {
  const config = await loadConfig({}, {});
  return {
    ...config,
    agents: new Map([['bo', parseAgentConfig({ kind: 'webhook', name: 'Bo', url, secret: SECRET })]]),
    rest: { ...config.rest, webhookPrivateAddresses: allowsPrivateAddresses },
  };
}

it('creates an agent behind a webhook, without articles', async () => {
  const { sources, webhooks } = await loadConfiguredAgents(
    await configWith('https://bot.example.com', false),
  );
  expect(webhooks.get('bo')).toMatchObject({ name: 'Bo', avatarUrl: null });
  expect(sources.size).toBe(0);
});

it('accepts an http webhook only where private addresses are allowed', async () => {
  const url = 'http://127.0.0.1:8090/turns';
  await expect(loadConfiguredAgents(await configWith(url, false))).rejects.toThrow(
    /agents\.bo\.url: must begin with https/,
  );
  expect((await loadConfiguredAgents(await configWith(url, true))).webhooks.size).toBe(1);
});

it('refuses a webhook agent with a short secret, without repeating the secret', () => {
  const config = { kind: 'webhook', name: 'Bo', url: 'https://bot.example.com', secret: 'short' };
  expect(() => parseAgentConfig(config)).toThrow(
    "Correct the agent's configuration: secret must have at least 32 characters.",
  );
});
