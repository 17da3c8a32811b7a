import { expect, it, onTestFinished } from 'vitest';
import { loadAgent } from '../../server-platform/src/agents/create-agent.ts';
import { createEvaluation } from '../../server-platform/src/agents/evaluation/evaluate.ts';
import { COMPANIES } from './companies.ts';
import { compareAgents } from './compare.ts';
import { LITERAL_MODEL, startLiteralModel } from './literal-model.ts';
import { modelConfig } from './model-config.ts';

const conversation = (say: string, rest: object = {}) => ({
  ...{ say: [say], language: 'en', has: [], any: [], not: [], intent: [], ...rest },
});

it('prints the model beside the agent on articles, judged by rules, with time and cost', async () => {
  const articles = COMPANIES.kittiwake.config();
  const { url, close } = await startLiteralModel();
  onTestFinished(close);
  const endpoint = { url, model: LITERAL_MODEL, apiKey: null, extraBody: {} };
  const [agent, model] = await Promise.all([loadAgent(articles), loadAgent(modelConfig(articles, endpoint))]);
  const lines: string[] = [];
  const conversations = new Map([
    [
      'tuning/plain',
      [
        // Source and fact.
        conversation('how much does a bicycle cost', { has: ['£3'], card: true }),
        conversation('how much does a bicycle cost', { has: ['£99'] }),
        // A refusal, in words and on record.
        conversation('quantum chromodynamics lagrangian', { intent: ['out_of_domain'] }),
        // The language of the visitor, which this model does not speak.
        conversation('ist der bicycle free', { language: 'de' }),
      ],
    ],
    ['held-out/emergency', [conversation('There is a fire on the car deck!', { any: ['999'] })]],
  ]);
  const outcomes = await compareAgents(
    conversations,
    [
      { label: 'articles', evaluate: createEvaluation(agent), isModel: false },
      { label: 'literal', evaluate: createEvaluation(model), isModel: true },
    ],
    {
      showsFailures: false,
      prices: { input: 1, cachedInput: null, output: 100 },
      print: (line) => lines.push(line),
    },
  );
  const literal = outcomes.get('literal') ?? [];
  expect(literal.map(({ problems }) => problems)).toEqual([
    [],
    ['lacks "£99"'],
    [],
    ['answers in en to de'],
    [],
  ]);
  expect(lines).toContainEqual(
    expect.stringMatching(/^held-out in all\s+1 of 1 \(100 %\)\s+1 of 1 \(100 %\)$/),
  );
  expect(lines).toContain('\npassed: 1 by articles alone, 0 by literal alone');
  expect(lines).toContain('literal: answered 4 of 5 turns');
  expect(lines).toContain('  not passed  1 facts, 1 language');
  expect(lines).toContainEqual(expect.stringMatching(/^ {2}tokens {6}\d{4} in prompts, \d{3} in answers$/));
  expect(lines).toContainEqual(expect.stringMatching(/^ {2}cost {8}0\.\d{4}, or \d+\.\d\d per 1,000 turns$/));
});

it('counts a turn that the articles answered for the model as failed', async () => {
  const endpoint = { url: 'http://127.0.0.1:9/v1', model: 'none', apiKey: null, extraBody: {} };
  const retries = { maxAttempts: 1 };
  const source = await loadAgent({ ...modelConfig(COMPANIES.kittiwake.config(), endpoint), retries });
  const { answer, problems } = await createEvaluation(source)(conversation('how much does a bicycle cost'));
  expect(answer).toContain('£3');
  expect(problems).toEqual([
    'left it to the articles: unavailable',
    'failed: The model endpoint cannot be reached (ECONNREFUSED). Check the address and the network.',
  ]);
});
