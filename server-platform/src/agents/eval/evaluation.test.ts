import { describe, expect, it } from 'vitest';
import { loadConversations } from './conversation.ts';
import { evaluate } from './evaluate.ts';

const SETS = ['tuning'] as const;

describe.each(SETS)('the embedded agent of Kittiwake Ferries, %s conversations', (set) => {
  it.for([...loadConversations(set)])('passes nine of ten of category %s', async ([, conversations]) => {
    const outcomes = await evaluate(conversations);
    const failed = outcomes.filter(({ problems }) => problems.length > 0);
    const report = failed.map(({ conversation, problems }) => `${conversation.say.join(' / ')}: ${problems}`);
    expect(failed.length / outcomes.length, report.join('\n')).toBeLessThanOrEqual(0.1);
  });
});
