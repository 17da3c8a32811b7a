import { expect, it } from 'vitest';
import { loadConversations } from './conversation.ts';
import { createEvaluation, type EvalOutcome } from './evaluate.ts';

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
  const evaluate = await createEvaluation();
  const all: EvalOutcome[] = [];
  for (const set of ['tuning', 'held-out'] as const) {
    const ofSet: EvalOutcome[] = [];
    for (const [category, conversations] of loadConversations(set)) {
      const outcomes = await evaluate(conversations);
      expect(share(outcomes), `${category}: ${report(outcomes)}`).toBeLessThanOrEqual(
        MOST_FAILED_OF_CATEGORY,
      );
      ofSet.push(...outcomes);
    }
    expect(share(ofSet), report(ofSet)).toBeLessThanOrEqual(MOST_FAILED[set]);
    all.push(...ofSet);
  }
  expect(share(all), report(all)).toBeLessThanOrEqual(0.1);
});
