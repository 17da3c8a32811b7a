import { expect, it } from 'vitest';
import { actionsOf, messageTurn, textOf } from '../../../test/agents/agent-turn.ts';
import { createKnowledgeAgent } from './knowledge-agent.ts';
import { KNOWLEDGE_AGENT_DEFAULTS } from './knowledge-agent-config.ts';
import type { Article } from './passages/article.ts';
import { createKnowledgeIndex } from './passages/knowledge-index.ts';
import { parseArticle } from './passages/parse-article.ts';

/** Articles as a company has them that wrote no questions and no keywords: titles and text. */
const ARTICLES: Readonly<Record<string, string>> = {
  'Using the workshop': `You may use the benches and the tools on the wall. Please sweep up afterwards.

The kiln is fired on Fridays. Bring your pots by Thursday evening.

Sanding machines need a short introduction, which is free.`,
  'Finding us':
    'We are in the old dairy behind the church. The front door is step-free, and there is a goods lift.',
  Membership: `Members pay £30 a month and have a shelf of their own.

## Leaving

You can leave at the end of any month. Hand the key in at the office.`,
  Storage: 'A shelf holds one crate. Wood may be left in the yard for a week, with your name on it.',
  Insurance: 'Our insurance covers injuries in the house. It does not cover what you leave here.',
};

/** The articles, with more lines in their heads. */
function articlesWith(lines: string): readonly Article[] {
  return Object.entries(ARTICLES).map(([title, body], place) => {
    const parsed = parseArticle(`article-${place}`, `---\ntitle: ${title}\n${lines}---\n${body}`);
    if (parsed.kind === 'invalid') throw new Error(parsed.problem);
    return parsed.article;
  });
}

const agent = createKnowledgeAgent(
  { ...KNOWLEDGE_AGENT_DEFAULTS, name: 'Ada', pacing: { minMs: 0, maxMs: 0 } },
  createKnowledgeIndex(articlesWith('')),
);

const answerTo = async (text: string): Promise<string> => textOf(await actionsOf(agent, messageTurn(text)));

it.each([
  ['is there a lift', 'goods lift'],
  ['when is the kiln fired', 'on Fridays'],
  ['do sanding machines need an introduction?', 'which is free'],
  ['where do i hand in the key', 'at the office'],
  ['where are you located?', 'old dairy'],
  ['how long does the kiln take', 'on Fridays'],
])('answers "%s" from a sentence deep in an article without listed questions', async (question, fact) => {
  expect(await answerTo(question)).toContain(fact);
});

it('answers from the text of an article that lists other questions', async () => {
  const listed = createKnowledgeAgent(
    { ...KNOWLEDGE_AGENT_DEFAULTS, name: 'Ada', pacing: { minMs: 0, maxMs: 0 } },
    createKnowledgeIndex(articlesWith('questions: [May I use the benches?, What does a month cost?]\n')),
  );
  const answer = textOf(await actionsOf(listed, messageTurn('sanding machine introduction')));
  expect(answer).toContain('which is free');
});

it.each([
  ['who fires pots for 1450 people', 'on Fridays'],
  ['is wood in the yard at noon on tuesday ok', 'for a week'],
])('does not hold a figure or a time against "%s" that no article names', async (question, fact) => {
  expect(await answerTo(question)).toContain(fact);
});

it('answers where one article is far ahead of the others, though a word is new to all of them', async () => {
  expect(await answerTo('on which friday is the kiln fired by my brother')).toContain('on Fridays');
});

it.each([
  'what do you need',
  'is there a swimming pool',
  'do you repair guitars',
  'can i buy a kiln for my garden',
  'can i hire a crate',
])('says that it does not know "%s", of which the articles hold a word at most', async (question) => {
  expect(await answerTo(question)).toContain("I don't know");
});

it.each([
  ['how do i get rid of fleas', 'on prescription'],
  ['tell me a joke about fleas', 'outside what I know'],
  ['who won the football match', 'outside what I know'],
])('takes "%s" for off-topic unless an article is about the words that sound so', async (question, text) => {
  const parsed = parseArticle('fleas', '---\ntitle: Fleas\n---\nFlea treatment is on prescription.');
  if (parsed.kind === 'invalid') throw new Error(parsed.problem);
  const vet = createKnowledgeAgent(
    { ...KNOWLEDGE_AGENT_DEFAULTS, name: 'Ada', pacing: { minMs: 0, maxMs: 0 } },
    createKnowledgeIndex([...articlesWith(''), parsed.article]),
  );
  expect(textOf(await actionsOf(vet, messageTurn(question)))).toContain(text);
});
