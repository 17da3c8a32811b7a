import { describe, expect, it } from 'vitest';
import { actionsOf, messageTurn, textOf } from '../../../test/agents/agent-turn.ts';
import { ISLAND_ARTICLES } from '../../../test/agents/island-articles.ts';
import {
  calls,
  chunk,
  event,
  open,
  says,
  startScriptedEndpoint,
  write,
} from '../../../test/agents/llm/scripted-endpoint.ts';
import type { AgentAction } from '../agent.ts';
import { createKnowledgeIndex } from '../articles/passages/knowledge-index.ts';
import { parseArticle } from '../articles/passages/parse-article.ts';
import type { AgentTool } from '../tools/agent-tool.ts';
import { createLlmAgent } from './llm-agent.ts';
import { LLM_AGENT_DEFAULTS, type LlmAgentConfig } from './llm-agent-config.ts';

const index = createKnowledgeIndex(ISLAND_ARTICLES);

const configFor = (url: string, overrides: Partial<LlmAgentConfig> = {}): LlmAgentConfig => ({
  ...LLM_AGENT_DEFAULTS,
  name: 'Ada',
  greeting: "Hello, I'm Ada, the automated assistant.",
  starters: ['Can I bring my dog?'],
  url,
  apiKey: 'sk-secret-key',
  model: 'test-model',
  systemPrompt: 'You help travellers.',
  handoff: { destination: 'desk', managed: 'server', queueName: 'general' },
  helpBaseUrl: 'https://help.example.com/',
  ...overrides,
});

describe('what does not wait for a model', () => {
  // Nothing listens at this address.
  const agent = createLlmAgent(configFor('http://127.0.0.1:9/v1'), index);

  it('answers danger to life without waiting for a model', async () => {
    const actions = await actionsOf(agent, messageTurn('There is a fire on the car deck!'));
    expect(textOf(actions)).toContain('call **112**');
  });

  it("uses the company's own sentences where it has some", async () => {
    const replies = { en: { danger: 'Tell the crew, or call {numbers}.' } };
    const own = createLlmAgent(configFor('http://127.0.0.1:9/v1', { replies }), index);
    const actions = await actionsOf(own, messageTurn('There is a fire on the car deck!'));
    expect(textOf(actions)).toMatch(/^Tell the crew, or call .*\d/);
  });

  it('follows a wish for a person without a model, in any of the languages', async () => {
    const actions = await actionsOf(agent, messageTurn('我要人工客服'));
    expect(actions.at(-1)).toMatchObject({ type: 'handoff', destination: 'desk' });
  });
});

describe('a tool of the company', () => {
  const tool: AgentTool = {
    name: 'order_status',
    description: 'Looks an order up.',
    input: { properties: { order: { type: 'string' } }, required: ['order'] },
    run: ({ order }, { text }) => {
      if (order === 'A-9') throw new Error('The shop is away.');
      return { text: '', data: { order, status: 'sent', isModel: text === null } };
    },
  };

  /** The messages of the request that follows a call of the tool, and the actions of the turn. */
  async function call(args: string): Promise<readonly [messages: string, actions: readonly AgentAction[]]> {
    await using endpoint = await startScriptedEndpoint(
      calls({ name: tool.name, arguments: args }),
      says('Sent.'),
    );
    const agent = createLlmAgent(configFor(endpoint.url), index, {}, { tools: [tool] });
    const actions = await actionsOf(agent, messageTurn('Where is my order?'));
    expect(JSON.stringify(endpoint.requests[0]?.body['tools'])).toContain('"required":["order"]');
    return [JSON.stringify(endpoint.requests[1]?.body['messages']), actions];
  }

  it("calls a tool with the model's arguments, and gives the model its data", async () => {
    const [messages] = await call('{"order":"A-1"}');
    expect(messages).toContain(String.raw`{\"order\":\"A-1\",\"status\":\"sent\",\"isModel\":true}`);
  });

  it("reports missing arguments of a tool's call to the model", async () => {
    expect((await call('{}'))[0]).toContain(String.raw`lacks \\\"order\\\"`);
  });

  it('records a tool that fails, and the model answers without it', async () => {
    const [messages, actions] = await call('{"order":"A-9"}');
    expect(messages).toContain('The tool failed');
    expect(messages).not.toContain('The shop is away');
    expect(actions).toContainEqual({ type: 'function_error', name: 'order_status' });
    expect(textOf(actions)).toBe('Sent.');
  });
});

describe('what the model is sent', () => {
  it('sends prompt, recent history and question to the chat-completions address with the key', async () => {
    await using endpoint = await startScriptedEndpoint(says('Fine.'));
    const agent = createLlmAgent(
      configFor(endpoint.url, { maxHistory: 2, extraBody: { temperature: 0.2, model: 'other' } }),
      index,
    );
    const history = [
      { author: 'user', text: 'too old' },
      { author: 'agent', text: 'An answer' },
      { author: 'live_agent', text: 'Sam here' },
    ] as const;
    await actionsOf(agent, messageTurn('Hello?', { history, language: 'de' }));
    const [request] = endpoint.requests;
    expect(request?.path).toBe('/v1/chat/completions');
    expect(request?.headers['authorization']).toBe('Bearer sk-secret-key');
    expect(request?.body).toMatchObject({ model: 'test-model', stream: true, temperature: 0.2 });
    expect(request?.body['messages']).toEqual([
      {
        role: 'system',
        content: expect.stringMatching(/^You help travellers\.[\s\S]*language of the chat is de/),
      },
      { role: 'assistant', content: 'An answer' },
      { role: 'assistant', content: '(A colleague wrote:) Sam here' },
      { role: 'user', content: 'Hello?' },
    ]);
  });

  it("sends the model a person's summary right before the question", async () => {
    await using endpoint = await startScriptedEndpoint(says('Fine.'));
    const turn = messageTurn('And now?', { state: { handoff_summary: 'The bag is in Tarrow.' } });
    await actionsOf(createLlmAgent(configFor(endpoint.url), index), turn);
    expect(endpoint.requests[0]?.body['messages']).toMatchObject([
      { role: 'system' },
      { role: 'assistant', content: expect.stringContaining('The bag is in Tarrow.') },
      { role: 'user', content: 'And now?' },
    ]);
  });

  it('never sends the model the verified context, and only the events that are meant for it', async () => {
    await using endpoint = await startScriptedEndpoint(says('Fine.'));
    const received = { name: 'paid', createdAt: '2026-01-02T03:04:05.000Z', contentType: 'application/json' };
    const turn = messageTurn('Did it work?', {
      contextVault: { customer: 'vault-value' },
      externalEvents: [
        { ...received, id: 'evt_1', data: { amount: 12 }, sendToLlm: true },
        { ...received, id: 'evt_2', data: { note: 'internal-note' }, sendToLlm: false },
      ],
    });
    await actionsOf(createLlmAgent(configFor(endpoint.url), index), turn);
    const sent = JSON.stringify(endpoint.requests[0]?.body);
    expect(sent).toContain('\\"amount\\":12');
    expect(sent).not.toContain('vault-value');
    expect(sent).not.toContain('internal-note');
  });

  it('offers the model only tools that can be carried out', async () => {
    await using endpoint = await startScriptedEndpoint(says('Fine.'), says('Fine.'));
    await actionsOf(createLlmAgent(configFor(endpoint.url), index), messageTurn('Hi'));
    await actionsOf(createLlmAgent(configFor(endpoint.url, { handoff: null }), null), messageTurn('Hi'));
    const names = endpoint.requests.map(({ body }) =>
      JSON.stringify(body['tools']).match(/(?<="name":")\w+/g),
    );
    expect(names).toEqual([
      ['search_knowledge', 'note_facts', 'no_answer', 'hand_off', 'end_conversation'],
      ['note_facts', 'no_answer', 'end_conversation'],
    ]);
  });
});

describe('an answer', () => {
  it('passes an answer on piece by piece while the model is still writing', async () => {
    let release = (): void => {};
    const isReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    await using endpoint = await startScriptedEndpoint(async (response) => {
      open(response);
      await write(response, chunk({ content: 'Dogs are ' }));
      await isReleased;
      await write(response, chunk({ content: 'welcome.' }) + chunk({}, 'stop'));
      response.end(event('[DONE]'));
    });
    const actions: AgentAction[] = [];
    for await (const action of createLlmAgent(configFor(endpoint.url), index).run(messageTurn('Dogs?'))) {
      actions.push(action);
      if (action.type === 'text') release();
    }
    expect(actions.filter(({ type }) => type === 'text')).toEqual([
      { type: 'text', text: 'Dogs are' },
      { type: 'text', text: ' welcome.' },
    ]);
  });

  it('reads an answer that is cut anywhere, also within a character', async () => {
    const bytes = Buffer.from(chunk({ content: 'Überfahrt 🐕 kostet 5 €' }) + chunk({}, 'stop'));
    await using endpoint = await startScriptedEndpoint(async (response) => {
      open(response);
      response.socket?.setNoDelay(true);
      for (const byte of bytes) {
        await new Promise((resolve) => response.write(Buffer.of(byte), resolve));
      }
      response.end();
    });
    const actions = await actionsOf(createLlmAgent(configFor(endpoint.url), index), messageTurn('Preis?'));
    expect(textOf(actions)).toBe('Überfahrt 🐕 kostet 5 €');
  });

  it('completes an answer with its finish reason, even if the connection breaks afterwards', async () => {
    await using endpoint = await startScriptedEndpoint(async (response) => {
      open(response);
      await write(response, `: keep-alive\n\n${chunk({ content: 'Done.' })}${chunk({}, 'length')}`);
      response.destroy();
    });
    const actions = await actionsOf(createLlmAgent(configFor(endpoint.url), index), messageTurn('Hi'));
    expect(textOf(actions)).toBe('Done.');
  });

  it('greets without asking the model', async () => {
    await using endpoint = await startScriptedEndpoint();
    const actions = await actionsOf(
      createLlmAgent(configFor(endpoint.url), index),
      messageTurn('', { kind: 'greeting' }),
    );
    expect(textOf(actions)).toBe("Hello, I'm Ada, the automated assistant.");
    expect(actions.at(-1)).toEqual({
      type: 'suggestions',
      suggestions: [{ message_text: 'Can I bring my dog?', payload: null }],
    });
    expect(endpoint.requests).toEqual([]);
  });
});

describe('tools', () => {
  it('gives the model what the articles say, and the visitor the source', async () => {
    await using endpoint = await startScriptedEndpoint(
      calls({ name: 'search_knowledge', arguments: '{"query":"bring a dog"}' }),
      says('Yes, dogs are wel', 'come [', '1].'),
    );
    const actions = await actionsOf(createLlmAgent(configFor(endpoint.url), index), messageTurn('Dogs?'));
    expect(textOf(actions)).toBe('Yes, dogs are welcome.');
    expect(actions).toContainEqual({
      type: 'attachment',
      attachment: expect.objectContaining({
        title: 'Travelling with pets',
        content_url: 'https://help.example.com/pets-on-board',
      }),
    });
    const messages = JSON.stringify(endpoint.requests[1]?.body['messages']);
    expect(messages).toContain(String.raw`\"number\":1,\"title\":\"Travelling with pets\"`);
    expect(messages).toContain('"tool_call_id":"call_0"');
    expect(messages).toContain('Dogs and cats are welcome on every crossing');
  });

  it('gives the model the passage of a long article that it asks for, wherever it is in the article', async () => {
    const rules = Array.from(
      { length: 40 },
      (_, n) => `## Rule ${n}\n\nPay at counter ${n} before you board.\n`,
    );
    const text = `---\ntitle: Luggage\n---\nTwo bags travel free.\n\n${rules.join('\n')}\n## Surfboards\n\nA surfboard costs £7.\n`;
    const parsed = parseArticle('luggage', text);
    if (parsed.kind !== 'article') throw new Error('no article');
    await using endpoint = await startScriptedEndpoint(
      calls({ name: 'search_knowledge', arguments: '{"query":"surfboard"}' }),
      says('£7.'),
    );
    const long = createKnowledgeIndex([parsed.article]);
    await actionsOf(createLlmAgent(configFor(endpoint.url), long), messageTurn('Surfboards?'));
    const messages = JSON.stringify(endpoint.requests[1]?.body['messages']);
    expect(messages).toContain('A surfboard costs £7.');
    expect(messages.length).toBeLessThan(6_000);
  });

  it('shows no source that was not cited, and drops a citation that was not given', async () => {
    await using endpoint = await startScriptedEndpoint(
      calls({ name: 'search_knowledge', arguments: '{"query":"bring a dog"}' }),
      says('Yes [7], see [the rules](https://rules.example/) [12'),
    );
    const actions = await actionsOf(createLlmAgent(configFor(endpoint.url), index), messageTurn('Dogs?'));
    expect(textOf(actions)).toBe('Yes, see [the rules](https://rules.example/) [12');
    expect(actions.filter(({ type }) => type === 'attachment')).toEqual([]);
  });

  it('says that it does not know, and offers a person, in the language of the chat', async () => {
    const script = calls({ name: 'no_answer', arguments: '' });
    await using endpoint = await startScriptedEndpoint(script, script);
    const agent = createLlmAgent(configFor(endpoint.url), index);
    const actions = await actionsOf(agent, messageTurn('Do you sell coffee?'));
    expect(textOf(actions)).toMatch(/I don't know.*connect you with a person\?$/);
    expect(actions).toContainEqual({ type: 'metric', name: 'out_of_domain', value: true });
    const german = await actionsOf(agent, messageTurn('Gibt es Kaffee?', { language: 'de' }));
    expect(textOf(german)).toMatch(/Person|Mensch|Kolleg/);
    expect(textOf(german)).not.toContain('know');
  });

  it('continues in the language that the model reports, before the first word in it', async () => {
    await using endpoint = await startScriptedEndpoint(
      calls({ name: 'note_facts', arguments: '{"language":"de"}' }),
      says('Ja.'),
      calls({ name: 'note_facts', arguments: '{"language":"no language!"}' }),
      says('Yes.'),
    );
    const agent = createLlmAgent(configFor(endpoint.url), index);
    const actions = await actionsOf(agent, messageTurn('Darf mein Hund mit?'));
    const types = actions.map(({ type }) => type);
    expect(actions).toContainEqual({ type: 'language', languageCode: 'de' });
    expect(types.indexOf('language')).toBeLessThan(types.indexOf('text'));
    const others = await actionsOf(agent, messageTurn('Can I?'));
    expect(others.filter(({ type }) => type === 'language')).toEqual([]);
  });

  it('puts arguments together that came in pieces, for several calls mixed', async () => {
    await using endpoint = await startScriptedEndpoint(async (response) => {
      open(response);
      const piece = (at: number, text: string, start: Record<string, unknown> = {}) =>
        chunk({
          tool_calls: [
            {
              index: at,
              ...start,
              function: { arguments: text, ...(start['id'] ? { name: 'search_knowledge' } : {}) },
            },
          ],
        });
      await write(response, chunk({ content: 'One moment.' }));
      await write(
        response,
        piece(0, '{"que', { id: 'a', type: 'function' }) + piece(1, '', { id: 'b', type: 'function' }),
      );
      await write(response, piece(1, '{"query": "zebra crossing"') + piece(0, 'ry":"dog"}'));
      await write(response, piece(1, '}') + chunk({}, 'tool_calls'));
      response.end(event('[DONE]'));
    }, says('Dogs are welcome.'));
    const actions = await actionsOf(createLlmAgent(configFor(endpoint.url), index), messageTurn('Dogs?'));
    expect(textOf(actions)).toBe('One moment.\n\nDogs are welcome.');
    const messages = endpoint.requests[1]?.body['messages'];
    expect(messages).toEqual(
      expect.arrayContaining([
        {
          role: 'assistant',
          content: 'One moment.',
          tool_calls: [
            {
              id: 'a',
              type: 'function',
              function: { name: 'search_knowledge', arguments: '{"query":"dog"}' },
            },
            {
              id: 'b',
              type: 'function',
              function: { name: 'search_knowledge', arguments: '{"query": "zebra crossing"}' },
            },
          ],
        },
        { role: 'tool', tool_call_id: 'a', content: expect.stringContaining('Travelling with pets') },
        { role: 'tool', tool_call_id: 'b', content: expect.any(String) },
      ]),
    );
  });

  it('hands over with a default sentence when the model wrote none', async () => {
    await using endpoint = await startScriptedEndpoint(
      calls({ name: 'hand_off', arguments: '{"reason":"COMPLEX_QUERY"}' }),
    );
    const actions = await actionsOf(createLlmAgent(configFor(endpoint.url), index), messageTurn('I give up'));
    expect(textOf(actions)).toBe("Of course. I'm connecting you with a person now.");
    expect(actions.at(-1)).toEqual({
      type: 'handoff',
      destination: 'desk',
      managed: 'server',
      queueName: 'general',
      reason: 'COMPLEX_QUERY',
    });
  });

  it('says in the record why it hands over, in the words of the model', async () => {
    await using endpoint = await startScriptedEndpoint(
      calls({ name: 'hand_off', arguments: '{"reason":"POLICY","why":" wants a refund by phone "}' }),
    );
    const actions = await actionsOf(createLlmAgent(configFor(endpoint.url), index), messageTurn('Refund!'));
    expect(actions.at(-1)).toMatchObject({ reason: 'POLICY', why: 'wants a refund by phone' });
  });

  it('keeps what the model reports of a message: what it is about, and that it cannot help', async () => {
    const noted = '{"intents":["Book a flight"," fares ",7],"out_of_domain":true,"date":"2026-05-01"}';
    await using endpoint = await startScriptedEndpoint(
      calls({ name: 'note_facts', arguments: noted }),
      says('I only know ferries.'),
    );
    const actions = await actionsOf(createLlmAgent(configFor(endpoint.url), index), messageTurn('A flight?'));
    const named = actions.flatMap((action) => (action.type === 'intent' ? action.name : []));
    expect(named).toEqual(['book a flight', 'fares']);
    expect(actions).toContainEqual({ type: 'metric', name: 'out_of_domain', value: true });
    expect(actions).toContainEqual({ type: 'entities', found: { date: ['2026-05-01'] } });
    const [asked] = endpoint.requests;
    expect(JSON.stringify(asked)).toContain('With every message call note_facts once');
  });

  it('ends the conversation after what the model said', async () => {
    await using endpoint = await startScriptedEndpoint(async (response) => {
      open(response);
      await write(response, chunk({ content: 'Safe travels!' }));
      await write(
        response,
        chunk({ tool_calls: [{ id: 'x', function: { name: 'end_conversation' } }] }, 'tool_calls'),
      );
      response.end();
    });
    const actions = await actionsOf(createLlmAgent(configFor(endpoint.url), index), messageTurn('Bye'));
    expect(textOf(actions)).toBe('Safe travels!');
    expect(actions.at(-1)).toEqual({ type: 'end' });
  });

  it.each([
    [
      'arguments that are no JSON',
      { name: 'search_knowledge', arguments: '{"query": do' },
      'not a JSON object',
    ],
    ['a missing argument', { name: 'search_knowledge', arguments: '{}' }, 'must be a text'],
    ['a tool that does not exist', { name: 'book_ferry', arguments: '{}' }, 'no such tool'],
    ['nothing found', { name: 'search_knowledge', arguments: '{"query":"quantum physics"}' }, 'No article'],
  ])('reports %s to the model and lets it continue', async (_, call, told) => {
    await using endpoint = await startScriptedEndpoint(calls(call), says('Let me put it differently.'));
    const actions = await actionsOf(createLlmAgent(configFor(endpoint.url), index), messageTurn('Hm'));
    expect(textOf(actions)).toBe('Let me put it differently.');
    const messages = endpoint.requests[1]?.body['messages'];
    expect(messages).toEqual(
      expect.arrayContaining([
        { role: 'tool', tool_call_id: 'call_0', content: expect.stringContaining(told) },
      ]),
    );
  });

  it.each([
    [{ name: 'search_knowledge', arguments: '{"query": do' }, ['search_knowledge']],
    [{ name: 'my_cat_is_ill', arguments: '{}' }, ['unknown_tool']],
    [{ name: 'search_knowledge', arguments: '{"query":"quantum physics"}' }, []],
  ])('reports the call %j as failed functions %j', async (call, failed) => {
    await using endpoint = await startScriptedEndpoint(calls(call), says('Well.'));
    const actions = await actionsOf(createLlmAgent(configFor(endpoint.url), index), messageTurn('Hm'));
    const names = actions.flatMap((action) => (action.type === 'function_error' ? [action.name] : []));
    expect(names).toEqual(failed);
  });

  it('forbids tools in the last request, so that a model that keeps searching must answer', async () => {
    const search = calls({ name: 'search_knowledge', arguments: '{"query":"dog"}' });
    await using endpoint = await startScriptedEndpoint(search, search, says('Dogs are welcome.'));
    const agent = createLlmAgent(configFor(endpoint.url, { maxSteps: 3 }), index);
    expect(textOf(await actionsOf(agent, messageTurn('Dogs?')))).toBe('Dogs are welcome.');
    expect(endpoint.requests.map(({ body }) => body['tool_choice'])).toEqual(['auto', 'auto', 'none']);
  });
});
