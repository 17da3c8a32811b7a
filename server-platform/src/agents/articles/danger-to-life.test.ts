import { describe, expect, it } from 'vitest';
import { actionsOf, messageTurn, textOf } from '../../../test/agents/agent-turn.ts';
import { ISLAND_ARTICLES } from '../../../test/agents/island-articles.ts';
import type { AgentAction } from '../agent.ts';
import { loadReplies } from './intents/replies.ts';
import { createKnowledgeAgent } from './knowledge-agent.ts';
import { KNOWLEDGE_AGENT_DEFAULTS, type KnowledgeAgentConfig } from './knowledge-agent-config.ts';
import { createKnowledgeIndex } from './passages/knowledge-index.ts';

const index = createKnowledgeIndex(ISLAND_ARTICLES);

const ask = (text: string, overrides: Partial<KnowledgeAgentConfig> = {}) =>
  actionsOf(
    createKnowledgeAgent(
      {
        ...KNOWLEDGE_AGENT_DEFAULTS,
        ...{ name: 'Ada', company: 'Island Ferries', pacing: { minMs: 0, maxMs: 0 } },
        ...{ starters: ['Can I bring my dog?'], helpBaseUrl: 'https://help.example.com/' },
        ...{ handoff: { destination: 'desk', managed: 'server' as const } },
        ...overrides,
      },
      index,
    ),
    messageTurn(text),
  );

const intentOf = (actions: readonly AgentAction[]): string | undefined =>
  actions.find((action) => action.type === 'intent')?.name;

const suggestionsOf = (actions: readonly AgentAction[]): readonly string[] =>
  actions.flatMap((action) =>
    action.type === 'suggestions' ? action.suggestions.map((each) => each.message_text) : [],
  );

describe('danger to life', () => {
  it.each([
    ['there is a fire in the waiting room', 'call **999 or 112**'],
    ['Es brennt im Keller!', '**999 oder 112**'],
    ['i want to kill myself', 'Samaritans 116 123'],
    ['my neighbour is lying on the floor and not breathing', 'call **999 or 112**'],
    ['somebody fell and isnt moving', 'call **999 or 112**'],
    ['my friend just dislocated her shoulder in the big room', 'call **999 or 112**'],
    ['a stranger is threatening my son with a knife', 'call **999 or 112**'],
    ['my son is chocking', 'call **999 or 112**'],
    ['they are hitting a young boy outside', 'call **999 or 112**'],
    ['a man is choking in the yoga class', 'call **999 or 112**'],
    ['we are on a course and someone is bleeding badly', 'call **999 or 112**'],
    ['he broke his leg a minute ago', 'call **999 or 112**'],
    ['my son broke his arm, he is 5 years old', 'call **999 or 112**'],
    ['she is having a seizure every five minutes', 'call **999 or 112**'],
    ['there is some kind of fire in the kitchen', 'call **999 or 112**'],
    ['it smells of gas in the corridor', 'call **999 or 112**'],
    ['flames behind the counter', 'call **999 or 112**'],
    ['the carbon monoxide alarm keeps beeping', 'call **999 or 112**'],
  ])('answers the emergency "%s" at once with whom to call and nothing else', async (text, help) => {
    const actions = await ask(text, { country: 'GB', pacing: { minMs: 1_000, maxMs: 1_000 } });
    expect(actions.filter(({ type }) => type === 'text')).toHaveLength(1);
    expect(textOf(actions)).toContain(help);
    expect(suggestionsOf(actions)).toEqual([]);
    expect(actions.map(({ type }) => type)).not.toContain('attachment');
  });

  it.each([
    "I'm dying for a coffee",
    'my phone died',
    'how often do you practise fire drills',
    'the queue isnt moving',
    'my back wheel ticks since I hit a pothole',
    'where is the carbon monoxide alarm?',
    'can i bring a gas bottle that smells?',
    'my friend twisted her ankle last week, can she pause her pass?',
    'my mother broke her hip, do you deliver books to her home?',
    "my nan broke her hip and can't come in any more, could someone bring her books?",
    'my gums are bleeding when I brush, is that normal?',
    'I cannot stand up for long since my operation, can I book a seat?',
    'my son fell off the stairs last month, can we move his appointment?',
    'do you have a course on italian cooking',
    'where can I leave my stocking',
    'broke my leg, out for 6 weeks',
    'she has fits now and then',
    "what's a choking hazard under 3, want to pack the right snacks",
    'is the chest pain clinic on the ground floor',
    'what type do i need for a chip pan fire in a cafe kitchen',
    'can i fight in comps as a white belt',
    'fee per term for flames',
    'are there tickets left for the blaze game',
  ])('does not take "%s" for danger to life', async (text) => {
    expect(intentOf(await ask(text))).not.toMatch(/^emergency/);
  });

  it.each([
    ['US', '**911**', '988'],
    ['DE', '**112**', 'TelefonSeelsorge'],
    [null, '**112**', '112'],
  ])('names whom to call in an emergency in the country %s', async (country, numbers, helpline) => {
    expect(textOf(await ask('there is a fire', { country }))).toContain(numbers);
    expect(textOf(await ask('i want to die', { country }))).toContain(helpline);
  });

  it.each([...loadReplies()])('names no place or trade in the emergency sentences in %s', (_, texts) => {
    const said = ['danger', 'despair', 'theft', 'breakdown'].map((name) => String(texts[name]));
    for (const text of said) expect(text).not.toMatch(/board|crew|terminal|bord|équipage|tripulaci|alarm/i);
  });

  it('names the emergency numbers that the company has configured', async () => {
    const emergency = { numbers: ['911'], helpline: null };
    expect(textOf(await ask('there is a fire', { emergency }))).toContain('call **911**');
    expect(textOf(await ask('i want to die', { emergency }))).toContain('**911**');
  });
});
