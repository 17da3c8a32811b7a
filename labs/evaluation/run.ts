import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { AgentConfig } from '../../server-platform/src/agents/agent-config.ts';
import { loadAgent } from '../../server-platform/src/agents/create-agent.ts';
import { createEvaluation } from '../../server-platform/src/agents/evaluation/evaluate.ts';
import { loadConversations } from '../../server-platform/src/agents/evaluation/load-conversations.ts';
import type { ModelPrices } from '../../server-platform/src/agents/llm/llm-agent-config.ts';
import { COMPANIES, type Company } from './companies.ts';
import { type Contender, compareAgents } from './compare.ts';
import { LITERAL_MODEL, startLiteralModel } from './literal-model.ts';
import { modelConfig } from './model-config.ts';

const USAGE = `npm run eval -- agent   [--company NAME] [--only CATEGORY] [--failures] [--now 2026-07-14T09:20]
npm run eval -- model   the same, and [--prices INPUT,OUTPUT,CACHED]: beside the agent, a model at AGENT_LLM_URL, with
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

function readPrices(text: string | undefined): ModelPrices | null {
  if (text === undefined) return null;
  const [input = Number.NaN, output = Number.NaN, cachedInput = null] = text.split(',').map(Number);
  return input >= 0 && output >= 0 && (cachedInput === null || cachedInput >= 0)
    ? { input, output, cachedInput }
    : quit('--prices takes two or three numbers, such as 0.25,2 or 0.25,2,0.025');
}

/** Stops where the model does not answer, instead of asking hundreds of questions more. */
async function checkModel({ label, evaluate }: Contender): Promise<void> {
  const wanted = { has: [], any: [], not: [], intent: [] };
  const { problems } = await evaluate({ say: ['What can you help me with?'], language: 'en', ...wanted });
  const failed = problems.find((problem) => problem.startsWith('failed: '));
  if (failed !== undefined) quit(`${label} ${failed}`);
}

const [command = ''] = positionals;
if (command !== 'agent' && command !== 'model') quit(USAGE);

async function contenderFor(label: string, config: AgentConfig): Promise<Contender> {
  const source = await loadAgent(config);
  const evaluate = createEvaluation(source, source.articles, values.now);
  let failed = '';
  return {
    label,
    async evaluate(conversation) {
      const outcome = await evaluate(conversation);
      failed = outcome.problems.find((problem) => problem.startsWith('failed: ')) ?? failed;
      // From here on the agent would leave all turns to the articles.
      if (outcome.problems.includes('left it to the articles: endpoint_away')) quit(`${label} ${failed}`);
      return outcome;
    },
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
    const contender = await contenderFor(model, modelConfig(articles, endpoint));
    await checkModel(contender);
    contenders.push(contender);
  }
  await compareAgents(await loadConversations(company.folder), contenders, {
    only: values.only,
    showsFailures: values.failures === true,
    prices: readPrices(values.prices),
    print: (line) => console.log(line),
  });
}
literal?.close();
