import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AgentConfig } from '../../server-platform/src/agents/agent-config.ts';
import { packageFile } from '../../server-platform/src/kit/package-files.ts';

/** A company whose agent is evaluated. */
export interface Company {
  /** Folder of its articles and conversations. */
  readonly folder: string;
  readonly config: () => AgentConfig;
}

const fromHere = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

function companyIn(folder: string, settings: string, tools: string, host: string): Company {
  return {
    folder,
    config: () => ({
      ...JSON.parse(readFileSync(settings, 'utf8')),
      kind: 'knowledge',
      knowledgeFolder: folder,
      tools,
      helpBaseUrl: `https://${host}/help`,
      pacing: { minMs: 0, maxMs: 0 },
    }),
  };
}

const KITTIWAKE = packageFile('knowledge/kittiwake');

/** The demo companies by name, as their demos configure them. */
export const COMPANIES = {
  kittiwake: companyIn(
    KITTIWAKE,
    `${KITTIWAKE}/agent.json`,
    fromHere('../../demo/kittiwake/tools.ts'),
    'kittiwake.example',
  ),
  dentist: companyIn(
    fromHere('../../demo/dentist/articles'),
    fromHere('../../demo/dentist/agent.json'),
    fromHere('../../demo/dentist/tools.ts'),
    'lindendental.example',
  ),
} as const satisfies Readonly<Record<string, Company>>;
