import { parseArgs } from 'node:util';
import type { AgentConfig } from '../agent-config.ts';
import { loadAgent } from '../create-agent.ts';
import { loadConversations } from '../evaluation/conversation.ts';
import { createEvaluation } from '../evaluation/evaluate.ts';
import { KITTIWAKE_FOLDER, kittiwakeConfig } from './kittiwake.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { now: { type: 'string' }, failures: { type: 'boolean' }, only: { type: 'string' } },
});

if (positionals[0] !== 'agent') {
  console.log('npm run eval -- agent [--now 2026-07-14T09:20] [--only CATEGORY] [--failures]');
  process.exit(2);
}

const { AGENT_LLM_URL: url, AGENT_LLM_MODEL: model, AGENT_LLM_KEY: apiKey } = process.env;

/** The agent behind `AGENT_LLM_URL` when that is set, else the embedded one. */
function chooseConfig(): AgentConfig {
  const embedded = kittiwakeConfig();
  if (url === undefined || embedded.kind !== 'knowledge') return embedded;
  return {
    kind: 'llm',
    name: embedded.name,
    greeting: 'Hello, I am an automated assistant.',
    url,
    model: model ?? 'default',
    apiKey: apiKey ?? null,
    systemPrompt: 'You answer questions of the passengers of Kittiwake Ferries.',
    knowledgeFolder: embedded.knowledgeFolder,
    handoff: embedded.handoff ?? null,
  };
}

const source = await loadAgent(chooseConfig());
const evaluate = createEvaluation(source, source.articles, values.now);
const all = await loadConversations(KITTIWAKE_FOLDER);
for (const set of ['tuning', 'held-out'] as const) {
  let passed = 0;
  let total = 0;
  for (const [path, conversations] of all) {
    const category = path.slice(set.length + 1);
    if (path !== `${set}/${category}` || (values.only ?? category) !== category) continue;
    const outcomes = [];
    for (const conversation of conversations) outcomes.push(await evaluate(conversation));
    const failed = outcomes.filter(({ problems }) => problems.length > 0);
    passed += outcomes.length - failed.length;
    total += outcomes.length;
    console.log(`${set} ${category.padEnd(12)} ${outcomes.length - failed.length} of ${outcomes.length}`);
    if (values.failures !== true) continue;
    for (const { conversation, answer, problems } of failed) {
      console.log(
        `  ${conversation.say.join(' / ')}\n    ${problems.join('; ')}\n    ${answer.replaceAll('\n', ' ').slice(0, 220)}`,
      );
    }
  }
  console.log(
    `${set} in all ${' '.repeat(5)} ${passed} of ${total} (${Math.round((100 * passed) / Math.max(1, total))} %)\n`,
  );
}
