import { expect, it } from 'vitest';
import type { Agent, AgentAction, AgentTurn } from './agent.ts';
import { createTurnShares, shareAgent } from './share-agent.ts';

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Two projects of one agent, which answers `hang` never and says nothing to its signal. */
function setUp(atOnce: number) {
  const asked: string[] = [];
  const agent: Agent = {
    name: 'Ada',
    avatarUrl: null,
    async *run({ text }) {
      asked.push(text);
      if (text.startsWith('hang')) await new Promise(() => {});
      yield { type: 'text', text: `You said: ${text}` };
    },
  };
  const inShare = createTurnShares(atOnce);
  return { asked, one: shareAgent(agent, 'one', inShare), other: shareAgent(agent, 'other', inShare) };
}

const turn = (text: string, signal: AbortSignal): AgentTurn =>
  ({ kind: 'message', text, signal }) as AgentTurn;

const first = (agent: Agent, text: string, signal = new AbortController().signal): Promise<AgentAction> =>
  agent
    .run(turn(text, signal))
    [Symbol.asyncIterator]()
    .next()
    .then(({ value }) => value);

it('lets an agent that hangs have the share of its project and no more', async () => {
  const { asked, one, other } = setUp(2);
  const stop = new AbortController();
  const hanging = ['hang 1', 'hang 2', 'hello'].map((text) => first(one, text, stop.signal).catch(String));
  await nextTurn();
  expect(asked).toEqual(['hang 1', 'hang 2']);
  expect(await first(other, 'hello')).toMatchObject({ text: 'You said: hello' });
  // As with the limit for a first action: the turn is abandoned and its slot released.
  const waits = first(one, 'and now');
  stop.abort(new Error('too slow'));
  expect(await waits).toMatchObject({ text: 'You said: and now' });
  expect(await hanging[2]).toContain('too slow');
});

it('refuses turns of a project as overload when ten times its share waits', async () => {
  const { one, other } = setUp(1);
  for (let nr = 0; nr < 11; nr += 1) void first(one, `hang ${nr}`);
  await nextTurn();
  await expect(first(one, 'one more')).rejects.toMatchObject({ code: 'overloaded', retryable: true });
  expect(await first(other, 'hello')).toMatchObject({ text: 'You said: hello' });
});
