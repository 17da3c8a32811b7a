import { describe, expect, it } from 'vitest';
import { actionsOf, messageTurn, stateAfter, textOf } from '../../../test/agents/agent-turn.ts';
import {
  calls,
  chunk,
  open,
  refuses,
  says,
  startScriptedEndpoint,
  write,
} from '../../../test/agents/llm/scripted-endpoint.ts';
import type { Agent, AgentAction } from '../agent.ts';
import { createLlmAgent } from './llm-agent.ts';
import { LLM_AGENT_DEFAULTS, type LlmAgentConfig } from './llm-agent-config.ts';

const configFor = (url: string, rest: Partial<LlmAgentConfig> = {}): LlmAgentConfig => ({
  ...LLM_AGENT_DEFAULTS,
  name: 'Ada',
  greeting: 'Hello.',
  url,
  model: 'test-model',
  systemPrompt: 'You help travellers.',
  timeouts: { firstByteMs: 20_000, idleMs: 20_000, totalMs: 20_000, firstWordMs: 20_000 },
  retries: { maxAttempts: 1, baseDelayMs: 0, maxDelayMs: 0 },
  ...rest,
});

const ARTICLES: Agent = {
  name: 'Ada',
  avatarUrl: null,
  async *run() {
    yield { type: 'text', text: 'From the articles.' };
  },
};
const standIn = () => ARTICLES;

const metricOf = (actions: readonly AgentAction[]): unknown =>
  actions.find((action) => action.type === 'metric' && action.name === 'llm_stand_in');

describe('when the model is away', () => {
  it.each([
    [503, 'unavailable'],
    [429, 'overloaded'],
    [401, 'unavailable'],
  ])('and answers %i, the articles answer, and only record and log say so', async (status, value) => {
    await using endpoint = await startScriptedEndpoint(refuses(status));
    const failures: unknown[] = [];
    const onFailure = (error: unknown) => void failures.push(error);
    const agent = createLlmAgent(configFor(endpoint.url), null, {}, { standIn, onFailure });
    const actions = await actionsOf(agent, messageTurn('Dogs?'));
    expect(failures).toEqual([expect.objectContaining({ name: 'AgentError', code: value })]);
    expect(actions).toEqual([
      { type: 'api_error' },
      { type: 'metric', name: 'llm_stand_in', value },
      { type: 'text', text: 'From the articles.' },
    ]);
  });

  it('the articles answer after a tool too, but not once the visitor has read a word', async () => {
    const noted = calls({ name: 'note_facts', arguments: '{"intents":["pets"]}' });
    await using endpoint = await startScriptedEndpoint(noted, refuses(500), async (response) => {
      open(response);
      await write(response, chunk({ content: 'Dogs are' }));
      response.socket?.resetAndDestroy();
    });
    const agent = createLlmAgent(configFor(endpoint.url), null, {}, { standIn });
    expect(textOf(await actionsOf(agent, messageTurn('Dogs?')))).toBe('From the articles.');
    await expect(actionsOf(agent, messageTurn('Dogs?'))).rejects.toMatchObject({ code: 'broken_stream' });
  });

  it('a visitor who stops the answer gets none', async () => {
    await using endpoint = await startScriptedEndpoint(() => {});
    const stop = new AbortController();
    const agent = createLlmAgent(configFor(endpoint.url), null, {}, { standIn });
    const running = actionsOf(agent, messageTurn('Dogs?', { signal: stop.signal }));
    stop.abort(new Error('stopped'));
    await expect(running).rejects.toThrow('stopped');
  });

  it('a failing model is not asked for a while, and the articles answer at once', async () => {
    await using endpoint = await startScriptedEndpoint(...Array.from({ length: 5 }, () => refuses(500)));
    const agent = createLlmAgent(configFor(endpoint.url), null, {}, { standIn });
    for (let turn = 1; turn <= 5; turn += 1) await actionsOf(agent, messageTurn('Dogs?'));
    expect(metricOf(await actionsOf(agent, messageTurn('Dogs?')))).toMatchObject({ value: 'endpoint_away' });
    expect(endpoint.requests).toHaveLength(5);
    const alone = createLlmAgent(configFor(endpoint.url), null);
    for (let turn = 1; turn <= 5; turn += 1)
      await expect(actionsOf(alone, messageTurn('Dogs?'))).rejects.toThrow('418');
    await expect(actionsOf(alone, messageTurn('Dogs?'))).rejects.toThrow('failed several times in a row');
  });
});

describe('when the tokens are used up', () => {
  const tokenLimits = { conversation: 1_000, projectPerDay: null };

  it('the articles answer the rest of a conversation whose tokens are used up', async () => {
    await using endpoint = await startScriptedEndpoint(async (response) => {
      open(response);
      const usage = { prompt_tokens: 900, completion_tokens: 100 };
      await write(response, chunk({ content: 'Hello!' }));
      response.end(
        `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage })}\n\n`,
      );
    });
    const agent = createLlmAgent(configFor(endpoint.url, { tokenLimits }), null, {}, { standIn });
    const first = await actionsOf(agent, messageTurn('Hi'));
    expect(textOf(first)).toBe('Hello!');
    const second = await actionsOf(agent, messageTurn('Dogs?', { state: stateAfter({}, first) }));
    expect(second).toEqual([
      { type: 'metric', name: 'llm_stand_in', value: 'conversation_tokens' },
      { type: 'text', text: 'From the articles.' },
    ]);
    expect(endpoint.requests).toHaveLength(1);
  });

  it('an agent without articles is overloaded when the tokens are used up', async () => {
    await using endpoint = await startScriptedEndpoint();
    const agent = createLlmAgent(configFor(endpoint.url, { tokenLimits }), null);
    const turn = messageTurn('Hi', { state: { _llm_tokens: 1_000 } });
    await expect(actionsOf(agent, turn)).rejects.toMatchObject({ code: 'overloaded' });
  });

  it('tokens are estimated where the endpoint does not count them', async () => {
    await using endpoint = await startScriptedEndpoint(says('Hello!'));
    const agent = createLlmAgent(configFor(endpoint.url, { tokenLimits }), null);
    const state = stateAfter({}, await actionsOf(agent, messageTurn('Hi')));
    expect(state['_llm_tokens']).toBeGreaterThan(100);
  });
});
