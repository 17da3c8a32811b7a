import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { actionsOf, messageTurn, textOf } from '../../test/agents/agent-turn.ts';
import { type AgentConfig, parseAgentConfig } from './agent-config.ts';
import { type AgentPorts, createAgent, loadAgent } from './create-agent.ts';

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'natter-articles-'));
  await writeFile(
    join(folder, 'parking.md'),
    '---\ntitle: Parking at the port\nkeywords: [car park]\n---\nParking costs £6 a day.\n',
  );
  await writeFile(join(folder, 'FACTS.md'), 'For people, not for visitors.');
});

afterAll(() => rm(folder, { recursive: true }));

describe('a knowledge agent', () => {
  it('is built from its name and a folder of articles', async () => {
    const agent = await createAgent({
      kind: 'knowledge',
      name: 'Ada',
      knowledgeFolder: folder,
      pacing: { minMs: 0, maxMs: 0 },
    });
    expect(agent).toMatchObject({ name: 'Ada', avatarUrl: null });
    expect(textOf(await actionsOf(agent, messageTurn('where can i park my car?')))).toContain(
      'Parking costs £6 a day.',
    );
  });

  it('names every article that cannot be used', async () => {
    const broken = await mkdtemp(join(tmpdir(), 'natter-articles-'));
    await writeFile(join(broken, 'no-title.md'), '---\nkeywords: [a]\n---\nText\n');
    await writeFile(join(broken, 'no-front-matter.md'), 'Text\n');
    await writeFile(join(broken, 'no-text.md'), '---\ntitle: Empty\n---\n\n');
    await writeFile(join(broken, 'no-yaml.md'), '---\ntitle: [\n---\nText\n');
    const creation = createAgent({ kind: 'knowledge', name: 'Ada', knowledgeFolder: broken });
    await expect(creation).rejects.toThrow(
      /no-front-matter\.md: it begins neither with front matter between two lines of --- nor with a heading.*no-text\.md: it has no text.*no-title\.md: title is missing.*no-yaml\.md: its front matter is not YAML/,
    );
    await rm(broken, { recursive: true });
  });

  it('takes the first heading of an article without a title for its title', async () => {
    const plain = await mkdtemp(join(tmpdir(), 'natter-articles-'));
    await writeFile(
      join(plain, 'plain.md'),
      '\uFEFF\n# Wobbly chairs #\n\n## Claims\n\nSend us a picture.\n',
    );
    await writeFile(
      join(plain, 'untitled.md'),
      '---\nkeywords: [van]\n---\n# Delivery\n\nWe deliver on Mondays.\n',
    );
    await writeFile(
      join(plain, 'titled.md'),
      '---\ntitle: Returns\n---\n# Sending back\n\nWithin 30 days.\n',
    );
    const { articles } = await loadAgent({ kind: 'knowledge', name: 'Ada', knowledgeFolder: plain });
    expect(articles.map(({ title, sections }) => [title, ...sections.map(({ heading }) => heading)])).toEqual(
      [
        ['Wobbly chairs', 'Claims'],
        ['Returns', 'Sending back'],
        ['Delivery', null],
      ],
    );
    await rm(plain, { recursive: true });
  });

  it('refuses a folder without articles', async () => {
    const empty = await mkdtemp(join(tmpdir(), 'natter-articles-'));
    await expect(createAgent({ kind: 'knowledge', name: 'Ada', knowledgeFolder: empty })).rejects.toThrow(
      'holds no articles',
    );
    await rm(empty, { recursive: true });
  });
});

describe('the tools of an agent', () => {
  const load = async (source: string, ports: AgentPorts = {}) => {
    const tools = join(folder, `tools-${randomUUID()}.mjs`);
    await writeFile(tools, source);
    const pacing = { minMs: 0, maxMs: 0 };
    return createAgent({ kind: 'knowledge', name: 'Ada', knowledgeFolder: folder, tools, pacing }, ports);
  };

  it('the tools of an agent are those that its module exports', async () => {
    const agent = await load(`export const tools = [{
      name: 'spaces', description: 'Free spaces.', input: { properties: {} },
      triggers: [{ examples: ['how many spaces are free'] }],
      run: () => ({ text: 'There are 12 spaces.' }),
    }];`);
    expect(textOf(await actionsOf(agent, messageTurn('how many spaces are free now?')))).toBe(
      'There are 12 spaces.',
    );
  });

  it('the failure of a tool is reported to the operator only', async () => {
    const failures: unknown[] = [];
    const agent = await load(
      `export const tools = [{
        name: 'spaces', description: 'Free spaces.', input: { properties: {} },
        triggers: [{ examples: ['how many spaces are free'] }],
        run: async () => { throw new Error('The counter is away.'); },
      }];`,
      { onFailure: (what, error) => failures.push([what, error]) },
    );
    const actions = await actionsOf(agent, messageTurn('how many spaces are free now?'));
    expect(JSON.stringify(actions)).not.toContain('counter');
    expect(failures).toEqual([
      [
        'run a tool',
        new Error('The tool "spaces" failed, and the agent answered without it: The counter is away.'),
      ],
    ]);
  });

  it.each([
    ['export default [];', /must export a list of tools as "tools"/],
    [
      "export const tools = [{ name: 'a b', description: 'x', input: { properties: {} }, run() {} }];",
      /in place 1 of .*name/,
    ],
    [
      "export const tools = [{ name: 'a', description: 'x', input: { properties: {} } }];",
      /in place 1 of .*run/,
    ],
    ['import "no-such-module";', /cannot be imported/],
  ])('tools that cannot be used are refused with the reason: %s', async (source, reason) => {
    await expect(load(source)).rejects.toThrow(reason);
  });
});

describe('an LLM agent', () => {
  const config: AgentConfig = {
    kind: 'llm',
    name: 'Ada',
    greeting: "I'm automated.",
    url: 'https://models.example.com/v1',
    model: 'small',
    systemPrompt: 'Help.',
  };

  it('an LLM agent is built without articles, and gets the defaults of omitted settings', async () => {
    expect((await createAgent(config)).name).toBe('Ada');
    expect(parseAgentConfig({ ...config, timeouts: { idleMs: 5 } })).toMatchObject({
      timeouts: { firstByteMs: 15_000, idleMs: 5, totalMs: 60_000 },
      retries: { maxAttempts: 3 },
      maxSteps: 4,
      knowledgeFolder: null,
    });
  });

  it('an LLM agent answers from its articles when the model cannot be reached', async () => {
    const retries = { maxAttempts: 1 };
    // Nothing listens at this address.
    const url = 'http://127.0.0.1:9/v1';
    const agent = await createAgent({ ...config, url, retries, knowledgeFolder: folder });
    const actions = await actionsOf(agent, messageTurn('where can i park my car?'));
    expect(textOf(actions)).toContain('Parking costs £6 a day.');
    expect(actions).toContainEqual({ type: 'metric', name: 'llm_stand_in', value: 'unavailable' });
  });

  it('an error about the configuration never contains the key', () => {
    const wrong = { ...config, apiKey: 'sk secret with spaces', model: 7 };
    expect(() => parseAgentConfig(wrong)).toThrow(
      'apiKey must hold no spaces or special characters; model must be a text',
    );
    expect(() => parseAgentConfig(wrong)).not.toThrow(/secret/);
  });
});

describe('a configuration that is wrong', () => {
  const base = { kind: 'knowledge', name: 'Ada', knowledgeFolder: 'articles' };

  it.each([
    [{ ...base, kind: 'robot' }, 'the agent needs a "kind" of "knowledge", "llm" or "webhook"'],
    [null, 'the agent needs a "kind"'],
    [{ kind: 'knowledge', name: 'Ada' }, 'the agent needs "knowledgeFolder"'],
    [{ ...base, name: ' ' }, 'name must not be empty'],
    [{ ...base, colour: 'red' }, 'the agent has no setting "colour"'],
    [{ ...base, helpBaseUrl: 'javascript:alert(1)' }, 'helpBaseUrl must be an http or https address'],
    [
      { ...base, handoff: { destination: 'desk', managed: 'nobody' } },
      'handoff.managed must be "server" or "client"',
    ],
    [{ ...base, handoff: {} }, 'handoff needs "destination"'],
    [{ ...base, languages: ['en', 'german!'] }, 'every entry of languages must be a language tag'],
    [{ ...base, pacing: { minMs: 30, maxMs: 10 } }, 'pacing.minMs must not be above pacing.maxMs'],
    [{ ...base, phone: { number: 'call us', title: 'Phone' } }, 'phone.number must be a phone number'],
    [{ ...base, starters: 'Hi' }, 'starters must be a list of texts'],
  ])('a wrong configuration is refused with what to correct (%#)', (config, message) => {
    expect(() => parseAgentConfig(config)).toThrow(message);
  });
});
