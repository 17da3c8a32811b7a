import { describe, expect, it } from 'vitest';
import { type AgentScript, createDoor, createScriptedAgent } from '../../test/realtime/scripted-agent.ts';
import { createSkippingClock } from '../../test/realtime/skipping-clock.ts';
import { AgentError } from './agent-error.ts';
import { type CollectedTurn, collectTurn } from './collect-turn.ts';

const TIMEOUTS = { agentFirstActionMs: 1_000, agentSilenceMs: 2_000, agentTurnMs: 10_000 };

function collect(
  script: AgentScript,
  options: {
    readonly clock?: ReturnType<typeof createSkippingClock>;
    readonly signal?: AbortSignal;
    readonly onFailure?: (what: string, error: unknown) => void;
  } = {},
): Promise<CollectedTurn> {
  return collectTurn({
    agent: createScriptedAgent(script),
    turn: {
      kind: 'message',
      text: 'hi',
      history: [],
      language: 'en',
      state: { seen: 1, old: true },
      contextVault: {},
      conversationId: 'CONV-1',
    },
    clock: options.clock ?? createSkippingClock(),
    timeouts: TIMEOUTS,
    signal: options.signal ?? new AbortController().signal,
    onFailure: options.onFailure ?? (() => {}),
  });
}

describe('a turn that is collected', () => {
  it('a collected turn holds the whole text and everything that comes with it', async () => {
    const suggestion = { message_text: 'Yes', payload: null };
    const callAction = { title: 'Call us', contact_number: '+441' };
    const turn = await collect(async function* () {
      yield { type: 'intent', name: 'fares' };
      yield { type: 'language', languageCode: 'de' };
      yield { type: 'text', text: 'Guten ' };
      yield { type: 'text', text: 'Tag' };
      yield { type: 'suggestions', suggestions: [suggestion] };
      yield { type: 'call_action', callAction };
      yield { type: 'state', set: { seen: 2, old: null } };
      yield { type: 'metric', name: 'found', value: true };
      for (const value of ['fares', 2, 'boats']) yield { type: 'metric', name: 'topic', value };
    });
    expect(turn).toMatchObject({
      kind: 'answered',
      answerText: 'Guten Tag',
      language: 'de',
      suggestions: [suggestion],
      callActions: [callAction],
      state: { seen: 2 },
      hasChangedState: true,
      record: { intents: ['fares'], metrics: { found: true, topic: ['fares', 2, 'boats'] } },
      next: { type: 'continue' },
    });
  });

  it('a state that would grow above 64 kB stays unchanged, and the agent has failed', async () => {
    const failed: string[] = [];
    const turn = await collect(
      async function* () {
        yield { type: 'state', set: { seen: 2, large: 'x'.repeat(65_536) } };
        yield { type: 'state', set: { name: 'Ana' } };
        yield { type: 'text', text: 'Noted.' };
      },
      { onFailure: (what) => failed.push(what) },
    );
    expect(failed).toEqual(['store the state of an agent']);
    expect(turn).toMatchObject({
      kind: 'answered',
      state: { seen: 1, old: true, name: 'Ana' },
      faults: { functionErrors: 1 },
    });
  });

  it('a collected turn ignores actions after a hand-off or an end', async () => {
    const handoff = { type: 'handoff', destination: 'desk', reason: 'POLICY', managed: 'server' } as const;
    const turn = await collect(async function* () {
      yield { type: 'text', text: 'One moment.' };
      yield handoff;
      yield { type: 'text', text: 'never' };
    });
    expect(turn).toMatchObject({ answerText: 'One moment.', next: handoff });
  });

  it('a collected turn distinguishes a failure before the answer from one within it', async () => {
    const failing = (text: string): AgentScript =>
      async function* () {
        if (text !== '') yield { type: 'text', text };
        throw new AgentError('overloaded', 'Too much.', { retryable: true });
      };
    expect(await collect(failing(''))).toMatchObject({
      kind: 'failed',
      stage: 'before_answer',
      code: 'overloaded',
    });
    expect(await collect(failing('half'))).toMatchObject({
      kind: 'failed',
      stage: 'streaming',
      answerText: 'half',
    });
  });

  it('a collected turn gives up on an agent that does not begin', async () => {
    const clock = createSkippingClock();
    const begun = createDoor();
    const collecting = collect(
      async function* () {
        begun.open();
        await createDoor().opened;
        yield { type: 'end' };
      },
      { clock },
    );
    await begun.opened;
    clock.skip(1_000);
    expect(await collecting).toMatchObject({ kind: 'failed', code: 'timeout' });
  });

  it('a collected turn rejects when it is cancelled', async () => {
    const controller = new AbortController();
    const begun = createDoor();
    const collecting = collect(
      async function* () {
        begun.open();
        await createDoor().opened;
        yield { type: 'end' };
      },
      { signal: controller.signal },
    );
    await begun.opened;
    controller.abort(new Error('closing'));
    await expect(collecting).rejects.toThrow('closing');
  });
});
