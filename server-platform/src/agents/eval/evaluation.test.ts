import { expect, it } from 'vitest';
import { loadAgent } from '../create-agent.ts';
import { loadConversations } from '../evaluation/conversation.ts';
import { createEvaluation, type EvalOutcome } from '../evaluation/evaluate.ts';
import { KITTIWAKE_FOLDER, kittiwakeConfig } from './kittiwake.ts';

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

it('the embedded agent of Kittiwake Ferries passes nine of ten conversations', async () => {
  const evaluate = createEvaluation(await loadAgent(kittiwakeConfig()));
  const all: Record<string, EvalOutcome[]> = { tuning: [], 'held-out': [] };
  for (const [category, conversations] of await loadConversations(KITTIWAKE_FOLDER)) {
    const outcomes: EvalOutcome[] = [];
    for (const conversation of conversations) outcomes.push(await evaluate(conversation));
    expect(share(outcomes), `${category}: ${report(outcomes)}`).toBeLessThanOrEqual(MOST_FAILED_OF_CATEGORY);
    all[category.split('/')[0] ?? '']?.push(...outcomes);
  }
  for (const [set, most] of Object.entries(MOST_FAILED)) {
    const ofSet = all[set] ?? [];
    expect(ofSet.length, set).toBeGreaterThan(100);
    expect(share(ofSet), report(ofSet)).toBeLessThanOrEqual(most);
  }
  const every = Object.values(all).flat();
  expect(share(every), report(every)).toBeLessThanOrEqual(0.1);
});
