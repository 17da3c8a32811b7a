import { expect, it } from 'vitest';
import { actionsOf, messageTurn, textOf } from '../../../test/agents/agent-turn.ts';
import { createKnowledgeAgent } from './knowledge-agent.ts';
import { KNOWLEDGE_AGENT_DEFAULTS } from './knowledge-agent-config.ts';
import { createKnowledgeIndex } from './passages/knowledge-index.ts';
import { parseArticle } from './passages/parse-article.ts';

const SAUNA = `---
title: Sauna and pool
---
The sauna is open all year, in the old dairy.

| Day | Sauna | Pool |
|---|---|---|
| Monday | closed | 07:00–21:00 |
| Tuesday–Friday | 14:00–21:00 | 07:00–21:30 |
| Sat & Sun | 10:00–18:00 | 09:00–18:30 |
| Public holidays | 12:00–16:00 | closed |`;

const parsed = parseArticle('sauna', SAUNA);
if (parsed.kind === 'invalid') throw new Error(parsed.problem);

const agent = createKnowledgeAgent(
  {
    ...KNOWLEDGE_AGENT_DEFAULTS,
    name: 'Ada',
    timeZone: 'Europe/London',
    // The telephone has other hours than the sauna.
    contacts: [
      {
        title: 'Office',
        phone: '01632 960001',
        email: null,
        url: null,
        hours: 'every day 09:00–10:30',
        words: ['phone'],
      },
    ],
    pacing: { minMs: 0, maxMs: 0 },
  },
  createKnowledgeIndex([parsed.article]),
  // A Friday.
  { now: () => Date.UTC(2026, 2, 13, 10), setTimer: () => () => {} },
);

const [MONDAY, WORKDAYS, WEEKEND, HOLIDAYS] = [
  '| Monday',
  '| Tuesday–Friday',
  '| Sat & Sun',
  '| Public holidays',
];

it.each([
  ['is the sauna open on Mondays?', [MONDAY, HOLIDAYS]],
  ['sauna wednesday afternoon', [WORKDAYS, HOLIDAYS]],
  ['when does the sauna open tomorrow', [WEEKEND, HOLIDAYS]],
  ['can we go to the sauna sunday noon', [WEEKEND, HOLIDAYS]],
  ['is the sauna open now', [WORKDAYS, HOLIDAYS]],
  ['are you open now', [WORKDAYS, HOLIDAYS]],
  ['is the sauna open on easter monday', [MONDAY, WORKDAYS, WEEKEND, HOLIDAYS]],
  ['sauna hours saturday and monday', [MONDAY, WORKDAYS, WEEKEND, HOLIDAYS]],
  ['when does the sauna open', [MONDAY, WORKDAYS, WEEKEND, HOLIDAYS]],
])('"%s" shows the rows of a table by days that hold for the day asked for', async (question, rows) => {
  const answer = textOf(await actionsOf(agent, messageTurn(question)));
  expect(
    answer
      .split('\n')
      .filter((line) => /^\| [A-Z]/.test(line))
      .slice(1)
      .map((line) => line.split(' |')[0]),
  ).toEqual(rows);
});

it.each([
  [
    'are you open now',
    ['**Sauna:** closed now. It opens today at 14:00', '**Pool:** open now, until 21:30 today.'],
  ],
  ['is the pool open right now?', ['Yes. **Pool:** open now, until 21:30 today.']],
  ['is the sauna open at the moment', ['No. **Sauna:** closed now. It opens today at 14:00, until 21:00.']],
  ['is the pool closed today', ['**Pool:** open now']],
])('"%s" is answered by the clock and the hours that the article lists by day', async (question, lines) => {
  const answer = textOf(await actionsOf(agent, messageTurn(question)));
  for (const line of lines) expect(answer).toContain(line);
});
