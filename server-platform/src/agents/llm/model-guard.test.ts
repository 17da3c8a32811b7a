import { describe, expect, it } from 'vitest';
import { messageTurn } from '../../../test/agents/agent-turn.ts';
import { ModelGuard } from './model-guard.ts';

const NO_LIMITS = { conversation: null, projectPerDay: null };
const turn = messageTurn('Hello?', { projectId: 'PROJECT-1' });

describe('a model whose endpoint fails', () => {
  it('a model is not asked after five failures in a row, except by one turn every half minute', () => {
    const guard = new ModelGuard(NO_LIMITS);
    for (let failure = 1; failure <= 4; failure += 1) guard.note(false, 0);
    expect(guard.refuse(turn, 0, 1)).toBeNull();
    guard.note(false, 1_000);
    expect(guard.refuse(turn, 30_999, 1)).toBe('endpoint_away');
    expect(guard.refuse(turn, 31_000, 1)).toBeNull();
    expect(guard.refuse(turn, 31_000, 1)).toBe('endpoint_away');
    guard.note(false, 32_000);
    expect(guard.refuse(turn, 61_999, 1)).toBe('endpoint_away');
    expect(guard.refuse(turn, 62_000, 1)).toBeNull();
    guard.note(true, 63_000);
    expect(guard.refuse(turn, 63_000, 1)).toBeNull();
  });

  it('a model is still asked after failures with answers between them', () => {
    const guard = new ModelGuard(NO_LIMITS);
    for (let round = 1; round <= 3; round += 1) {
      for (let failure = 1; failure <= 4; failure += 1) guard.note(false, 0);
      guard.note(true, 0);
    }
    guard.note(false, 0);
    expect(guard.refuse(turn, 0, 1)).toBeNull();
  });
});

describe('tokens', () => {
  it("a conversation's tokens are counted in its state up to the limit", () => {
    const guard = new ModelGuard({ conversation: 1_000, projectPerDay: null });
    const state = guard.spend({ ...turn, state: { _llm_tokens: 400 } }, 600, 1) ?? {};
    expect(state).toEqual({ _llm_tokens: 1_000 });
    expect(guard.refuse({ ...turn, state }, 0, 1)).toBe('conversation_tokens');
    expect(guard.refuse(turn, 0, 1)).toBeNull();
  });

  it("a project's tokens end at the daily limit, and are available again the next day", () => {
    const guard = new ModelGuard({ conversation: null, projectPerDay: 1_000 });
    expect(guard.spend(turn, 1_000, 1)).toBeNull();
    expect(guard.refuse(turn, 0, 1)).toBe('project_tokens');
    expect(guard.refuse({ ...turn, projectId: 'PROJECT-2' }, 0, 1)).toBeNull();
    expect(guard.refuse(turn, 0, 2)).toBeNull();
  });
});
