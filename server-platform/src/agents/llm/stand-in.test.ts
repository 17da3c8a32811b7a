import { describe, expect, it } from 'vitest';
import { actionsOf, messageTurn, stateAfter, textOf } from '../../../test/agents/agent-turn.ts';
import {
  calls,
  chunk,
  event,
  open,
  refuses,
  type Script,
  says,
  startScriptedEndpoint,
  write,
} from '../../../test/agents/llm/scripted-endpoint.ts';
import type { Agent, AgentAction } from '../agent.ts';
import { parseAgentConfig } from '../agent-config.ts';
import { createLlmAgent } from './llm-agent.ts';
import { LLM_AGENT_DEFAULTS, type LlmAgentConfig } from './llm-agent-config.ts';
import type { SpendingStore } from './model-guard.ts';

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

  const PRICES = { input: 1, cachedInput: 0.1, output: 10 };
  const counted =
    (...usages: readonly object[]): Script =>
    async (response) => {
      open(response);
      await write(response, chunk({ content: 'Hello!' }));
      for (const usage of usages) await write(response, event({ choices: [], usage }));
      response.end(chunk({}, 'stop'));
    };
  const usage = {
    prompt_tokens: 10_000,
    prompt_tokens_details: { cached_tokens: 8_000 },
    completion_tokens: 100,
  };

  it('a turn says what it cost, with input from the cache at its own price', async () => {
    await using endpoint = await startScriptedEndpoint(counted(usage));
    const costLimits = { conversation: 0.003, projectPerDay: null };
    const agent = createLlmAgent(
      configFor(endpoint.url, { prices: PRICES, costLimits }),
      null,
      {},
      { standIn },
    );
    const first = await actionsOf(agent, messageTurn('Hi'));
    expect(first).toContainEqual({ type: 'metric', name: 'llm_cached_tokens', value: 8_000 });
    expect(first).toContainEqual({ type: 'metric', name: 'llm_cost', value: 0.0038 });
    const second = await actionsOf(agent, messageTurn('Dogs?', { state: stateAfter({}, first) }));
    expect(metricOf(second)).toMatchObject({ value: 'conversation_cost' });
  });

  it('a turn that fails or is stopped counts for its project, a refused request does not', async () => {
    const silent: Script = async (response) => {
      open(response);
      await write(response, chunk({ content: 'Dogs are' }));
    };
    await using endpoint = await startScriptedEndpoint(
      refuses(503),
      silent,
      calls({ name: 'note_facts', arguments: '{"intents":["pets"]}' }),
      refuses(503),
    );
    const taken: number[] = [];
    const spending: SpendingStore = {
      read: async () => ({ tokens: 0, cost: 0 }),
      add: async (projectId, _day, spent) => {
        taken.push(spent.tokens);
        return projectId === 'PROJECT-1' ? spent : expect.fail();
      },
    };
    const limits = { conversation: null, projectPerDay: 1_000_000 };
    const agent = createLlmAgent(
      configFor(endpoint.url, { tokenLimits: limits }),
      null,
      {},
      { standIn, spending },
    );
    const projectId = 'PROJECT-1';
    await actionsOf(agent, messageTurn('Dogs?', { projectId }));
    expect(taken).toEqual([]);
    const stop = new AbortController();
    const turn = messageTurn('Dogs?', { projectId, signal: stop.signal });
    await expect(
      (async () => {
        for await (const action of agent.run(turn))
          if (action.type === 'text') stop.abort(new Error('stopped'));
      })(),
    ).rejects.toThrow('stopped');
    expect(taken).toEqual([expect.any(Number)]);
    expect(taken[0]).toBeGreaterThan(100);
    // The first request called a tool, the second was refused.
    await actionsOf(agent, messageTurn('Dogs?', { projectId }));
    expect(taken).toHaveLength(2);
  });

  it('an agent whose sums cannot be kept goes by its own, and reports it', async () => {
    await using endpoint = await startScriptedEndpoint(counted(usage));
    const away = async () => await Promise.reject(new Error('no database'));
    const failures: unknown[] = [];
    const agent = createLlmAgent(
      configFor(endpoint.url, { tokenLimits: { conversation: null, projectPerDay: 1_000 } }),
      null,
      {},
      {
        standIn,
        spending: { read: away, add: away },
        onSpendingFailure: (error) => void failures.push(error),
      },
    );
    const turn = messageTurn('Hi', { projectId: 'PROJECT-1' });
    expect(textOf(await actionsOf(agent, turn))).toBe('Hello!');
    expect(metricOf(await actionsOf(agent, turn))).toMatchObject({ value: 'project_tokens' });
    expect(failures).toHaveLength(2);
  });
});

it('a project whose day is used up is reported once, and answered from the articles', async () => {
  await using endpoint = await startScriptedEndpoint();
  const failures: unknown[] = [];
  const limits = { conversation: null, projectPerDay: 1_000 };
  const agent = createLlmAgent(
    configFor(endpoint.url, { tokenLimits: limits }),
    null,
    {},
    {
      standIn,
      onFailure: (error) => void failures.push(error),
      spending: {
        read: async () => ({ tokens: 1_000, cost: 0 }),
        add: async () => expect.fail(),
      },
    },
  );
  for (let turn = 1; turn <= 3; turn += 1) {
    const actions = await actionsOf(agent, messageTurn('Dogs?', { projectId: 'PROJECT-1' }));
    expect(metricOf(actions)).toMatchObject({ value: 'project_tokens' });
  }
  expect(failures).toEqual([expect.objectContaining({ message: expect.stringContaining('project_tokens') })]);
  expect(endpoint.requests).toEqual([]);
});

describe('prices and limits of money', () => {
  const llm = {
    kind: 'llm',
    name: 'Ada',
    greeting: 'Hello.',
    url: 'https://m/v1',
    model: 'm',
    systemPrompt: 'p',
  };

  it('are checked with the configuration', () => {
    const prices = { input: 0.25, output: 2 };
    expect(parseAgentConfig({ ...llm, prices, costLimits: { projectPerDay: 20 } })).toMatchObject({
      prices: { ...prices, cachedInput: null },
      costLimits: { conversation: null, projectPerDay: 20 },
    });
    expect(() => parseAgentConfig({ ...llm, costLimits: { conversation: 0.1 } })).toThrow(
      'costLimits need prices',
    );
    expect(() => parseAgentConfig({ ...llm, prices: { input: -1, output: 2 } })).toThrow(
      'prices.input must be at least 0',
    );
    expect(() => parseAgentConfig({ ...llm, prices: { input: 1 } })).toThrow('prices');
    expect(() => parseAgentConfig({ ...llm, prices, costLimits: { conversation: 0 } })).toThrow(
      'costLimits.conversation must be at least 0.0001',
    );
  });
});
