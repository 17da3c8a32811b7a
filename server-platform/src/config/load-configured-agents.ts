import { type AgentSource, loadAgent } from '../agents/index.ts';
import { ConfigError, type ConfigProblem } from './config-error.ts';
import type { PlatformConfig } from './load-config.ts';

/**
 * Loads the agents of the configuration by name, but for those that something else is `replaced` by.
 *
 * Fails with a `ConfigError` that names every agent whose articles cannot be read.
 */
export async function loadConfiguredAgents(
  config: PlatformConfig,
  replaced: ReadonlySet<string> = new Set(),
): Promise<ReadonlyMap<string, AgentSource>> {
  const agents = new Map<string, AgentSource>();
  const problems: ConfigProblem[] = [];
  for (const [name, agentConfig] of config.agents) {
    if (replaced.has(name)) continue;
    try {
      agents.set(name, await loadAgent(agentConfig));
    } catch (error) {
      // The settings were checked when the file was read; only articles can be missing or not valid.
      problems.push({
        field: `agents.${name}`,
        message: error instanceof Error ? error.message : String(error),
      });
    }
  }
  if (problems.length > 0) throw new ConfigError('the configuration', problems);
  return agents;
}
