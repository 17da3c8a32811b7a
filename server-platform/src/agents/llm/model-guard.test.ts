import { describe, expect, it } from 'vitest';
import { messageTurn } from '../../../test/agents/agent-turn.ts';
import type { SpendingLimits } from './llm-agent-config.ts';
import { costOf, ModelGuard, type SpendingStore } from './model-guard.ts';

const NONE: SpendingLimits = { conversation: null, projectPerDay: null };
const NO_LIMITS = { tokenLimits: NONE, costLimits: NONE };
const turn = messageTurn('Hello?', { projectId: 'PROJECT-1' });
const withoutProject = messageTurn('Hello?');

describe('a model whose endpoint fails', () => {
  it('a model is not asked after five failures in a row, except by one turn every half minute', async () => {
    const guard = new ModelGuard(NO_LIMITS);
    for (let failure = 1; failure <= 4; failure += 1) guard.note(false, 0);
    expect(await guard.refuse(turn, 0, 1)).toBeNull();
    guard.note(false, 1_000);
    expect(await guard.refuse(turn, 30_999, 1)).toBe('endpoint_away');
    expect(await guard.refuse(turn, 31_000, 1)).toBeNull();
    expect(await guard.refuse(turn, 31_000, 1)).toBe('endpoint_away');
    guard.note(false, 32_000);
    expect(await guard.refuse(turn, 61_999, 1)).toBe('endpoint_away');
    expect(await guard.refuse(turn, 62_000, 1)).toBeNull();
    guard.note(true, 63_000);
    expect(await guard.refuse(turn, 63_000, 1)).toBeNull();
  });

  it('a model is still asked after failures with answers between them', async () => {
    const guard = new ModelGuard(NO_LIMITS);
    for (let round = 1; round <= 3; round += 1) {
      for (let failure = 1; failure <= 4; failure += 1) guard.note(false, 0);
      guard.note(true, 0);
    }
    guard.note(false, 0);
    expect(await guard.refuse(turn, 0, 1)).toBeNull();
  });
});

const spent = (tokens: number, cost = 0) => ({ tokens, cost });

describe('what a model takes', () => {
  it("a conversation's tokens and money are kept in its state up to the limit", async () => {
    const guard = new ModelGuard({
      tokenLimits: { ...NONE, conversation: 1_000 },
      costLimits: { ...NONE, conversation: 0.05 },
    });
    const before = { ...turn, state: { _llm_tokens: 400, _llm_cost: 0.01 } };
    const state = guard.stateAfter(before, spent(500, 0.04)) ?? {};
    expect(state).toEqual({ _llm_tokens: 900, _llm_cost: 0.05 });
    expect(await guard.refuse({ ...turn, state }, 0, 1)).toBe('conversation_cost');
    expect(await guard.refuse({ ...turn, state: { _llm_tokens: 1_000 } }, 0, 1)).toBe('conversation_tokens');
    expect(await guard.refuse(turn, 0, 1)).toBeNull();
    expect(new ModelGuard(NO_LIMITS).stateAfter(turn, spent(500, 0.04))).toBeNull();
  });

  it("a project's day ends at its limit, and the next one begins with nothing", async () => {
    const guard = new ModelGuard({
      tokenLimits: { ...NONE, projectPerDay: 1_000 },
      costLimits: { ...NONE, projectPerDay: 2 },
    });
    await guard.spend(turn, spent(1_000, 1), 1);
    expect(await guard.refuse(turn, 0, 1)).toBe('project_tokens');
    expect(await guard.refuse({ ...turn, projectId: 'PROJECT-2' }, 0, 1)).toBeNull();
    expect(await guard.refuse(turn, 0, 2)).toBeNull();
    await guard.spend(turn, spent(10, 2), 2);
    expect(await guard.refuse(turn, 0, 2)).toBe('project_cost');
  });

  it('a node goes by the sum of all nodes', async () => {
    let sum = spent(0);
    const store: SpendingStore = {
      read: async () => sum,
      add: async (_project, _day, { tokens, cost }) => {
        sum = spent(sum.tokens + tokens, sum.cost + cost);
        return sum;
      },
    };
    const limits = { ...NO_LIMITS, tokenLimits: { ...NONE, projectPerDay: 1_000 } };
    const [one, other] = [new ModelGuard(limits), new ModelGuard(limits)];
    await one.spend(turn, spent(600), 1, store);
    expect(await other.refuse(turn, 0, 1, store)).toBeNull();
    await other.spend(turn, spent(400), 1, store);
    expect(await other.refuse(turn, 0, 1, store)).toBe('project_tokens');
    // A node that starts now reads the stored sums.
    expect(await new ModelGuard(limits).refuse(turn, 0, 1, store)).toBe('project_tokens');
    expect(await new ModelGuard(limits).refuse(withoutProject, 0, 1, store)).toBeNull();
  });

  it('costs what the prices of input, cached input and output say', () => {
    const usage = { prompt: 1_000_000, cached: 400_000, answer: 100_000 };
    expect(costOf(usage, { input: 2, cachedInput: 0.5, output: 8 })).toBeCloseTo(1.2 + 0.2 + 0.8);
    expect(costOf(usage, { input: 2, cachedInput: null, output: 8 })).toBeCloseTo(2.8);
    expect(costOf(usage, null)).toBe(0);
  });
});
