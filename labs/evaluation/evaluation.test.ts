import { expect, it } from 'vitest';
import { PATIENCE } from '../../e2e/patience.ts';
import { loadAgent } from '../../server-platform/src/agents/create-agent.ts';
import { createEvaluation, type EvalOutcome } from '../../server-platform/src/agents/evaluation/evaluate.ts';
import { loadConversations } from '../../server-platform/src/agents/evaluation/load-conversations.ts';
import { COMPANIES } from './companies.ts';

// The held-out conversations were written last: 88 % passed on their first run. A third of a small category may fail.
const MOST_FAILED = { tuning: 0.1, 'held-out': 0.15 } as const;
const MOST_FAILED_OF_CATEGORY = 0.34;

const failedOf = (outcomes: readonly EvalOutcome[]): readonly EvalOutcome[] =>
  outcomes.filter(({ problems }) => problems.length > 0);

const share = (outcomes: readonly EvalOutcome[]): number => failedOf(outcomes).length / outcomes.length;

const report = (outcomes: readonly EvalOutcome[]): string =>
  failedOf(outcomes)
    .map(({ conversation, problems }) => `${conversation.say.join(' / ')}: ${problems.join(', ')}`)
    .join('\n');

// Alone they take six seconds; beside other suites several times that.
const TIMEOUT_MS = 60_000 * PATIENCE;

it.each(Object.entries(COMPANIES))(
  'the embedded agent of the company "%s" passes nine of ten conversations',
  async (name, company) => {
    const evaluate = createEvaluation(await loadAgent(company.config()));
    const all: Record<string, EvalOutcome[]> = { tuning: [], 'held-out': [] };
    for (const [category, conversations] of await loadConversations(company.folder)) {
      const outcomes: EvalOutcome[] = [];
      for (const conversation of conversations) outcomes.push(await evaluate(conversation));
      const message = `${name} ${category}: ${report(outcomes)}`;
      // In a small category, one failed conversation is allowed.
      const most = Math.max(MOST_FAILED_OF_CATEGORY, 1.01 / outcomes.length);
      expect(share(outcomes), message).toBeLessThanOrEqual(most);
      all[category.split('/')[0] ?? '']?.push(...outcomes);
    }
    for (const [set, most] of Object.entries(MOST_FAILED)) {
      const ofSet = all[set] ?? [];
      expect(ofSet.length, set).toBeGreaterThan(90);
      expect(share(ofSet), report(ofSet)).toBeLessThanOrEqual(most);
    }
  },
  TIMEOUT_MS,
);
