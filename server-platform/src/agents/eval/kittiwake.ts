import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AgentConfig } from '../agent-config.ts';

/** Folder of the demo company's articles and conversations. */
export const KITTIWAKE_FOLDER = fileURLToPath(new URL('../../../knowledge/kittiwake', import.meta.url));

/** The demo company's agent, as the demo configures it. */
export function kittiwakeConfig(): AgentConfig {
  return {
    ...JSON.parse(readFileSync(`${KITTIWAKE_FOLDER}/agent.json`, 'utf8')),
    kind: 'knowledge',
    knowledgeFolder: KITTIWAKE_FOLDER,
    helpBaseUrl: 'https://kittiwake.example/help',
    pacing: { minMs: 0, maxMs: 0 },
  };
}
