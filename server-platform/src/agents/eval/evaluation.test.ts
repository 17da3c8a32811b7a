import { expect, it } from 'vitest';
import { loadConversations } from './conversation.ts';
import { type EvalOutcome, evaluate } from './evaluate.ts';

const SETS = ['tuning'] as const;

const failedOf = (outcomes: readonly EvalOutcome[]): readonly EvalOutcome[] =>
  outcomes.filter(({ problems }) => problems.length > 0);

it.each(SETS)('the embedded agent of Kittiwake Ferries passes nine of ten %s conversations', async (set) => {
  const all: EvalOutcome[] = [];
  for (const [category, conversations] of loadConversations(set)) {
    const outcomes = await evaluate(conversations);
    all.push(...outcomes);
    const share = failedOf(outcomes).length / outcomes.length;
    expect(share, `${category}: ${report(outcomes)}`).toBeLessThanOrEqual(0.3);
  }
  expect(failedOf(all).length / all.length, report(all)).toBeLessThanOrEqual(0.1);
});

const report = (outcomes: readonly EvalOutcome[]): string =>
  failedOf(outcomes)
    .map(({ conversation, problems }) => `${conversation.say.join(' / ')}: ${problems.join(', ')}`)
    .join('\n');
