import { expect, it } from 'vitest';
import { actionsOf, messageTurn, stateAfter, textOf } from '../../../test/agents/agent-turn.ts';
import { ISLAND_ARTICLES } from '../../../test/agents/island-articles.ts';
import { loadReplies } from './intents/replies.ts';
import { createKnowledgeAgent } from './knowledge-agent.ts';
import { KNOWLEDGE_AGENT_DEFAULTS } from './knowledge-agent-config.ts';
import { createKnowledgeIndex } from './passages/knowledge-index.ts';

const agent = createKnowledgeAgent(
  {
    ...KNOWLEDGE_AGENT_DEFAULTS,
    name: 'Ada',
    handoff: { destination: 'desk', managed: 'server', queueName: 'general' },
    pacing: { minMs: 0, maxMs: 0 },
  },
  createKnowledgeIndex(ISLAND_ARTICLES),
);
const FILE = 'https://files.example.com/f/1/fire%20on%20a%20dog.pdf';
const PICTURE = 'https://files.example.com/f/1/IMG_0042.jpeg';
const ask = (text: string, language = 'en-GB') => actionsOf(agent, messageTurn(text, { language }));

it('thanks for a file by its name, and offers a person, who comes with a yes', async () => {
  const turn = await ask(FILE);
  expect(turn).toContainEqual({ type: 'intent', name: 'file' });
  expect(textOf(turn)).toBe(
    "Thank you, I have received fire on a dog.pdf. I can't look into files myself.\n\nShall I connect you with a person?",
  );
  const next = await actionsOf(agent, messageTurn('yes please', { state: stateAfter({}, turn) }));
  expect(next.at(-1)?.type).toBe('handoff');
});

it.each([...loadReplies().keys()])('thanks for files in %s, with all their names', async (language) => {
  const text = textOf(await ask(`${FILE}\nhttps://files.example.com/f/2/ticket.pdf`, language));
  expect(text).toContain('ticket.pdf');
  expect(text).toContain('fire on a dog.pdf');
  expect(text.includes('Thank you')).toBe(language === 'en');
});

it('answers the text above sent files as if there were no files', async () => {
  const alone = textOf(await ask('When does check-in close?'));
  expect(textOf(await ask(`When does check-in close?\n\n${FILE}`))).toBe(alone);
  expect(await ask(`There is a fire on the car deck\n\n${FILE}`)).toContainEqual({
    type: 'intent',
    name: 'emergency_danger',
  });
});

it.each([PICTURE, `what is this?\n${PICTURE}`, 'can you see the photo I sent you?'])(
  'says that it cannot see pictures, and offers a person: %s',
  async (text) => {
    const answer = textOf(await ask(text));
    expect(answer).toContain("I can't see pictures.");
    expect(answer).toContain('Shall I connect you with a person?');
  },
);

it('says that it cannot see pictures before it answers a question beside one', async () => {
  const alone = textOf(await ask('When does check-in close?'));
  expect(textOf(await ask(`When does check-in close?\n${PICTURE}`))).toBe(
    `I can't see pictures.\n\n${alone}`,
  );
});

it('does not take a page for a file, and shows a file name without Markdown', async () => {
  expect(await ask('https://example.com/help/pets')).not.toContainEqual({ type: 'intent', name: 'file' });
  expect(textOf(await ask('https://x.example/%5Ba%5D(b)%2A%0A.pdf'))).toContain('I have received a (b)');
});
