import { type Agent, type AgentSource, createWebhookAgent, loadAgent } from '../../agents/index.ts';
import { systemClock } from '../../kit/clock.ts';
import { createOutboundClient } from '../../kit/http/outbound/index.ts';
import { ConfigError, type ConfigProblem } from './config-error.ts';
import type { PlatformConfig } from './load-config.ts';

/** The agents of a configuration, by name. */
export interface ConfiguredAgents {
  /** Agents that answer from articles. */
  readonly sources: ReadonlyMap<string, AgentSource>;
  /** Agents behind webhooks. */
  readonly webhooks: ReadonlyMap<string, Agent>;
}

/**
 * Loads the configuration's agents by name, except those listed in `replaced`.
 *
 * Fails with a `ConfigError` that names every agent whose articles cannot be read.
 */
export async function loadConfiguredAgents(
  config: PlatformConfig,
  replaced: ReadonlySet<string> = new Set(),
): Promise<ConfiguredAgents> {
  const { webhookHeaderStyle: headerStyle, webhookPrivateAddresses: allowsPrivateAddresses } = config.rest;
  const client = createOutboundClient({ allowsPrivateAddresses });
  const ports = { client, headerStyle, clock: systemClock, random: Math.random };
  const sources = new Map<string, AgentSource>();
  const webhooks = new Map<string, Agent>();
  const problems: ConfigProblem[] = [];
  for (const [name, agentConfig] of config.agents) {
    if (replaced.has(name)) continue;
    if (agentConfig.kind === 'webhook') {
      if (allowsPrivateAddresses || agentConfig.url.startsWith('https:'))
        webhooks.set(name, createWebhookAgent(agentConfig, ports));
      else
        problems.push({
          field: `agents.${name}.url`,
          message:
            'must begin with https:// (or http://, in development, with rest.webhook_private_addresses)',
        });
      continue;
    }
    try {
      sources.set(name, await loadAgent(agentConfig));
    } catch (error) {
      // The file's schema has checked the settings; only articles can be missing or invalid.
      problems.push({
        field: `agents.${name}`,
        message: error instanceof Error ? error.message : String(error),
      });
    }
  }
  if (problems.length > 0) throw new ConfigError('the configuration', problems);
  return { sources, webhooks };
}
