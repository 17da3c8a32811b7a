import { expect, it } from 'vitest';
import { actionsOf, messageTurn, textOf } from '../../../test/agents/agent-turn.ts';
import { ISLAND_ARTICLES } from '../../../test/agents/island-articles.ts';
import { loadReplies } from './intents/replies.ts';
import { createKnowledgeAgent } from './knowledge-agent.ts';
import { KNOWLEDGE_AGENT_DEFAULTS } from './knowledge-agent-config.ts';
import { createKnowledgeIndex } from './passages/knowledge-index.ts';

const agent = createKnowledgeAgent(
  {
    ...KNOWLEDGE_AGENT_DEFAULTS,
    name: 'Ada',
    company: 'Old Dairy',
    starters: ['When do you open?'],
    handoff: { destination: 'desk', managed: 'server' },
    contacts: [
      {
        title: 'Office',
        phone: '01632 960001',
        email: null,
        url: null,
        hours: 'Mo-Fr 09:00-17:00',
        words: [],
      },
    ],
    helpBaseUrl: 'https://help.example.com',
    pacing: { minMs: 0, maxMs: 0 },
  },
  createKnowledgeIndex(ISLAND_ARTICLES),
);

it.each([...loadReplies().keys()])('greets in the language %s of the conversation', async (language) => {
  const greeting = textOf(await actionsOf(agent, { ...messageTurn(''), kind: 'greeting', language }));
  expect(greeting).toContain('Ada');
  expect(greeting).toContain('Old Dairy');
  expect(greeting.startsWith('Hello')).toBe(language === 'en');
});

it('greets in the language that the page of the visitor names, and continues in it', async () => {
  const greetIn = async (language: string) =>
    await actionsOf(agent, { ...messageTurn(''), kind: 'greeting', pageContext: { language } });
  const german = await greetIn('de-AT');
  expect(textOf(german)).toContain('der automatische Assistent von Old Dairy');
  expect(german).toContainEqual({ type: 'language', languageCode: 'de' });
  expect(german.map(({ type }) => type)).not.toContain('suggestions');
  for (const language of ['en-GB', 'tlh', 'constructor', '']) {
    const actions = await greetIn(language);
    expect(textOf(actions), language).toMatch(/^Hello/);
    expect(actions.map(({ type }) => type)).not.toContain('language');
    expect(actions.map(({ type }) => type)).toContain('suggestions');
  }
});

it('keeps the greeting that the company has written, whatever language the page of the visitor names', async () => {
  const own = createKnowledgeAgent(
    {
      ...KNOWLEDGE_AGENT_DEFAULTS,
      ...{ name: 'Ada', greeting: 'Ahoy!', starters: ['When do you open?'], pacing: { minMs: 0, maxMs: 0 } },
    },
    createKnowledgeIndex(ISLAND_ARTICLES),
  );
  const turn = { ...messageTurn(''), kind: 'greeting', pageContext: { language: 'de' } } as const;
  const actions = await actionsOf(own, turn);
  expect(textOf(actions)).toBe('Ahoy!');
  expect(actions.map(({ type }) => type)).not.toContain('language');
});

it('names the hours of the desk in the language of the visitor', async () => {
  const answer = textOf(
    await actionsOf(agent, messageTurn('Haben Sie auch Zahnbürsten?', { language: 'de' })),
  );
  expect(answer).toContain('Montag–Freitag 09:00–17:00');
  expect(answer).not.toContain('Monday');
});

it('invites the visitor to read an article in their language', async () => {
  const actions = await actionsOf(agent, messageTurn('Darf ich meinen Hund mitbringen?', { language: 'de' }));
  expect(actions).toContainEqual(
    expect.objectContaining({
      attachment: expect.objectContaining({ call_to_action_text: 'Artikel lesen' }),
    }),
  );
});

it('counts a question that no article answers as unanswered, in any language', async () => {
  const unanswered = { type: 'metric', name: 'out_of_domain', value: true };
  const ask = async (text: string, language: string) =>
    await actionsOf(agent, messageTurn(text, { language }));
  expect(await ask('Vendez-vous des brosses à dents ?', 'fr')).toContainEqual(unanswered);
  expect(await ask('Do you sell toothbrushes?', 'en')).toContainEqual(unanswered);
  // A request for a language has been answered.
  expect(await ask('Parlez-vous français ?', 'fr')).not.toContainEqual(unanswered);
});
