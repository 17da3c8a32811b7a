import { expect, it } from 'vitest';
import { actionsOf, messageTurn, textOf } from '../../../test/agents/agent-turn.ts';
import { converse } from '../evaluation/converse.ts';
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
const articlesWith = (lines: string): readonly Article[] => articlesFrom(ARTICLES, lines);

function articlesFrom(texts: Readonly<Record<string, string>>, lines = ''): readonly Article[] {
  return Object.entries(texts).map(([title, body], place) => {
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

it('reads a paragraph out again to whoever asks for a detail of it', async () => {
  const van = createKnowledgeAgent(
    { ...KNOWLEDGE_AGENT_DEFAULTS, name: 'Ada', pacing: { minMs: 0, maxMs: 0 } },
    createKnowledgeIndex(
      articlesFrom({ ...ARTICLES, 'Our van': 'The van comes on Tuesdays and costs £15.' }),
    ),
  );
  const { actions } = await converse(van, ['do you have a van', 'on which days?'], messageTurn(''));
  expect(textOf(actions)).toContain('on Tuesdays');
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
])('answers "%s" although no article names its figure or time', async (question, fact) => {
  expect(await answerTo(question)).toContain(fact);
});

it.each([
  'what do you need',
  'is there a swimming pool',
  'do you repair guitars',
  'can i buy a kiln for my garden',
  'can i hire a crate',
])('has no answer to "%s", which shares at most one word with the articles', async (question) => {
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

/** A company that calls a product by an everyday word, and gives its prices and hours in tables. */
const SHOP: Readonly<Record<string, string>> = {
  Plans: `| Plan | Data | A month |
|---|---|---|
| Wren | 5 GB | £10 |
| Thrush | 30 GB | £15 |

You can move to a smaller plan once in each contract.`,
  Desk: `| Day | Times |
|---|---|
| Monday to Friday | 09:00–18:00 |
| Saturday | 10:00–14:00 |`,
  'Hot spots': 'The code for the hot spots is at the desk. An hour is free.',
  'Winter break': 'From 20 December to 6 January nobody is here.',
  Router: 'Look at the light on the box. If it is red, take the power out for 30 seconds.',
};

const shop = createKnowledgeAgent(
  { ...KNOWLEDGE_AGENT_DEFAULTS, name: 'Ada', pacing: { minMs: 0, maxMs: 0 } },
  createKnowledgeIndex(articlesFrom(SHOP)),
);

it.each([
  ['can i change to a smaller plan', 'once in each contract'],
  ['how much is 30gb a month', '£15'],
  ['cheapest plan', '£10'],
  ['desk hours friday in may', '09:00–18:00'],
  ['the light on my box is red', '30 seconds'],
])('answers "%s" because of a name, a figure or several words in common', async (question, fact) => {
  expect(textOf(await actionsOf(shop, messageTurn(question)))).toContain(fact);
});

it.each(['does the router have a usb port', 'is there a desk lamp', 'how deep is the winter snow'])(
  'says that it does not know "%s", of which the articles hold a title and miss the rest',
  async (question) => {
    expect(textOf(await actionsOf(shop, messageTurn(question)))).toContain("I don't know");
  },
);

/** A shop whose articles write times as "10 am", and words that visitors misspell or put in another way. */
const FURNITURE: Readonly<Record<string, string>> = {
  Showrooms: `Come and sit on it.

| Showroom | Monday to Friday | Sunday |
|---|---|---|
| Bristol | 10 am to 6 pm | 11 am to 5 pm |
| Leeds | 10 am to 6 pm | closed |

## Parking

Bristol and Leeds have free spaces behind the building for 2 hours.`,
  'Our plans for orders': 'We make each order by hand. The workshop sends a picture of it.',
  Invitations: 'The code in an invitation is valid for a year.',
  'Gift cards': 'A gift card comes by post. Keep the card in a dry place.',
  Paying: 'We take American Express and bank transfers. You pay when you order.',
  'Cancelling an order': 'An order can be cancelled until it is loaded.',
  Returns: 'A return is free within 30 days. Put the label on the box.',
  'Moving in with us': 'Tell us the new address, and the day of moving.',
  Delivery: 'Delivery takes three days.\n\nThe carrier rings an hour before.',
  'Door bells': `A bell rings on your phone, too.

## The range

A bell reaches through two walls.

## It doesn't work

Hold the button for ten seconds.`,
  'Oil for tables': 'A tin covers 12 m² of oak.',
  'Where your order is': 'You see it at shop.example/track.',
};

const furniture = createKnowledgeAgent(
  { ...KNOWLEDGE_AGENT_DEFAULTS, name: 'Ada', company: 'Delivery & Sons', pacing: { minMs: 0, maxMs: 0 } },
  createKnowledgeIndex(articlesFrom(FURNITURE)),
);

it.each([
  ['is leeds open on saturday and bristol on sunday?', '11 am to 5 pm'],
  ['my invitation expierd', 'valid for a year'],
  ['the stupid code in my bloody invitation', 'valid for a year'],
  ['do you take amex', 'American Express'],
  ['can i call my order off', 'until it is loaded'],
  ['can i send it back', 'within 30 days'],
  ['im mooving, what do i tel you', 'the new address'],
])(
  'answers "%s": times in words, misspelt synonyms, anger and other ways to say it',
  async (question, fact) => {
    expect(textOf(await actionsOf(furniture, messageTurn(question)))).toContain(fact);
  },
);

it.each(['do you plant a tree for each order', 'who are the people of delivery & sons'])(
  'says that it does not know "%s": no word is misspelt, and the own name is no topic',
  async (question) => {
    expect(textOf(await actionsOf(furniture, messageTurn(question)))).toContain("I don't know");
  },
);

it.each([
  ["the bell isn't working", 'for ten seconds'],
  ['how many square metres does a tin cover', '12 m²'],
  ['see you tomorrow', 'Goodbye'],
  ['where can i see where my order is?', 'shop.example/track'],
])(
  'answers "%s" by the everyday words of a heading, and from the articles where there is no page of bookings',
  async (question, fact) => {
    expect(textOf(await actionsOf(furniture, messageTurn(question)))).toContain(fact);
  },
);

it.each([
  { messages: ['do you sell lamps', 'what is the price'] },
  { messages: ['how many cinemas reach through two walls'] },
])('has no answer to $messages: what is asked for is not in the articles', async ({ messages }) => {
  const { actions } = await converse(furniture, messages, messageTurn(''));
  expect(actions).toContainEqual({ type: 'metric', name: 'out_of_domain', value: true });
});
