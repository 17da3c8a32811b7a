import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { AgentConfig } from '../../server-platform/src/agents/agent-config.ts';
import { loadAgent } from '../../server-platform/src/agents/create-agent.ts';
import { createEvaluation } from '../../server-platform/src/agents/evaluation/evaluate.ts';
import { loadConversations } from '../../server-platform/src/agents/evaluation/load-conversations.ts';
import { COMPANIES, type Company } from './companies.ts';
import { type Contender, compareAgents, type Prices } from './compare.ts';
import { LITERAL_MODEL, startLiteralModel } from './literal-model.ts';
import { modelConfig } from './model-config.ts';

const USAGE = `npm run eval -- agent   [--company NAME] [--only CATEGORY] [--failures] [--now 2026-07-14T09:20]
npm run eval -- model   the same, and [--prices PROMPT,ANSWER]: beside the agent, a model at AGENT_LLM_URL, with
                        AGENT_LLM_MODEL, AGENT_LLM_KEY and, as JSON, AGENT_LLM_BODY; prices of a million tokens.
                        Without an address it is a script that reads the first article out that it finds
NAME is one of the demo companies, or a folder with agent.json, articles and evaluation. Without it: all demo companies.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    company: { type: 'string' },
    now: { type: 'string' },
    failures: { type: 'boolean' },
    only: { type: 'string' },
    prices: { type: 'string' },
  },
});

function quit(message: string): never {
  console.log(message);
  process.exit(2);
}

/** The company in a folder. */
const companyIn = (folder: string): Company => ({
  folder,
  config: () => ({
    ...JSON.parse(readFileSync(join(folder, 'agent.json'), 'utf8')),
    kind: 'knowledge',
    knowledgeFolder: folder,
    pacing: { minMs: 0, maxMs: 0 },
  }),
});

/** The companies to evaluate, by name. */
function chooseCompanies(name: string | undefined): readonly (readonly [string, Company])[] {
  const known = Object.entries<Company>(COMPANIES);
  if (name === undefined) return known;
  return [known.find(([each]) => each === name) ?? [name, companyIn(resolve(name))]];
}

function readPrices(text: string | undefined): Prices | null {
  if (text === undefined) return null;
  const [prompt = Number.NaN, answer = Number.NaN] = text.split(',').map(Number);
  return prompt >= 0 && answer >= 0 ? { prompt, answer } : quit('--prices takes two numbers, such as 0.25,2');
}

const [command = ''] = positionals;
if (command !== 'agent' && command !== 'model') quit(USAGE);

async function contenderFor(label: string, config: AgentConfig): Promise<Contender> {
  const source = await loadAgent(config);
  return {
    label,
    evaluate: createEvaluation(source, source.articles, values.now),
    isModel: config.kind === 'llm',
  };
}

const literal =
  command === 'model' && process.env['AGENT_LLM_URL'] === undefined ? await startLiteralModel() : null;
for (const [name, company] of chooseCompanies(values.company)) {
  const articles = company.config();
  console.log(`# ${name}`);
  const contenders = [await contenderFor('articles', articles)];
  if (command === 'model') {
    const {
      AGENT_LLM_URL: url = literal?.url ?? '',
      AGENT_LLM_MODEL: model = literal === null ? quit(`Set AGENT_LLM_MODEL.\n\n${USAGE}`) : LITERAL_MODEL,
      AGENT_LLM_KEY: apiKey = null,
      AGENT_LLM_BODY: body = '{}',
    } = process.env;
    const endpoint = { url, model, apiKey, extraBody: JSON.parse(body) };
    contenders.push(await contenderFor(model, modelConfig(articles, endpoint)));
  }
  await compareAgents(await loadConversations(company.folder), contenders, {
    only: values.only,
    showsFailures: values.failures === true,
    prices: readPrices(values.prices),
    print: (line) => console.log(line),
  });
}
literal?.close();
