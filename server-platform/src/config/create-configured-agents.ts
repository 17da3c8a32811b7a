import { type Agent, createAgent } from '../agents/index.ts';
import { ConfigError, type ConfigProblem } from './config-error.ts';
import type { PlatformConfig } from './load-config.ts';

/**
 * Creates the agents of the configuration by name; one that is `given` replaces the configured one of its name.
 *
 * Fails with a `ConfigError` that names every agent whose articles cannot be read.
 */
export async function createConfiguredAgents(
  config: PlatformConfig,
  given: ReadonlyMap<string, Agent> = new Map(),
): Promise<ReadonlyMap<string, Agent>> {
  const agents = new Map(given);
  const problems: ConfigProblem[] = [];
  for (const [name, agentConfig] of config.agents) {
    if (agents.has(name)) continue;
    try {
      agents.set(name, await createAgent(agentConfig));
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
