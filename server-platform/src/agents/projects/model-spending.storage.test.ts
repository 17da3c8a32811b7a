import { afterAll, beforeAll, expect, it } from 'vitest';
import { actionsOf, messageTurn, textOf } from '../../../test/agents/agent-turn.ts';
import {
  chunk,
  event,
  open,
  type Script,
  startScriptedEndpoint,
  write,
} from '../../../test/agents/llm/scripted-endpoint.ts';
import { type RestFixture, startRestFixture } from '../../../test/api/rest/rest-fixture.ts';
import { describeStorage } from '../../../test/db/describe-storage.ts';
import { loadAgent } from '../create-agent.ts';
import { createSpendingStore } from './model-spending.ts';
import { ProjectAgents } from './project-agents.ts';

const answers: Script = async (response) => {
  open(response);
  await write(response, chunk({ content: 'Hello!' }));
  const usage = { prompt_tokens: 60_000, completion_tokens: 1_000 };
  await write(response, event({ choices: [], usage }));
  response.end(chunk({}, 'stop'));
};

describeStorage('what projects spend on models', (engine) => {
  let rest: RestFixture;
  beforeAll(async () => {
    rest = await startRestFixture({ engine });
  });
  afterAll(() => rest.stop());

  /** A node, as it begins. */
  async function startNode(url: string): Promise<ProjectAgents> {
    const source = await loadAgent({
      ...{ kind: 'llm', name: 'Ada', greeting: 'Hello.', url, model: 'm', systemPrompt: 'You help.' },
      prices: { input: 1, output: 10 },
      costLimits: { projectPerDay: 0.1 },
    });
    return new ProjectAgents({
      database: rest.database,
      fixed: new Map(),
      sources: new Map([['ada', source]]),
      turnInShare: (_, work) => work(),
      onFailure: (what, error) => {
        if (what !== 'ask a model') expect.fail(`${what}: ${String(error)}`);
      },
    });
  }

  it('ends the day of a project on every node, also after a restart', async () => {
    await using endpoint = await startScriptedEndpoint(answers, answers);
    const ask = async (node: ProjectAgents): Promise<string> =>
      textOf(await actionsOf(node.find('ada', rest.project.id) ?? expect.fail(), messageTurn('Hi')));
    const [one, other] = [await startNode(endpoint.url), await startNode(endpoint.url)];
    expect(await ask(one)).toBe('Hello!');
    expect(await ask(other)).toBe('Hello!');
    await expect(ask(other)).rejects.toThrow('project_cost');
    await expect(ask(await startNode(endpoint.url))).rejects.toThrow('project_cost');
    expect(endpoint.requests).toHaveLength(2);
    const rows = await rest.database.query('SELECT tokens, cost FROM model_spending WHERE project_id = $1', [
      rest.project.id,
    ]);
    expect(rows).toEqual([{ tokens: 122_000, cost: 0.14 }]);
  });

  it('is added up by two nodes at once, by day, and forgotten two days later', async () => {
    const store = createSpendingStore(rest.database);
    const { id } = rest.project;
    const spent = { tokens: 10, cost: 0.5 };
    await Promise.all(Array.from({ length: 8 }, () => store.add(id, 40_000, spent)));
    expect(await store.read(id, 40_000)).toEqual({ tokens: 80, cost: 4 });
    expect(await store.add(id, 40_001, spent)).toEqual(spent);
    expect(await store.read(id, 40_000)).toEqual({ tokens: 80, cost: 4 });
    await store.add(id, 40_002, spent);
    expect(await store.read(id, 40_000)).toEqual({ tokens: 0, cost: 0 });
  });
});
