import { expect, it } from 'vitest';
import { actionsOf, messageTurn, stateAfter, textOf } from '../../../test/agents/agent-turn.ts';
import type { Agent } from '../agent.ts';
import { converse } from '../evaluation/converse.ts';
import { findAnswer } from './find-answer.ts';
import { sayIn } from './intents/replies.ts';
import { createKnowledgeAgent } from './knowledge-agent.ts';
import { KNOWLEDGE_AGENT_DEFAULTS } from './knowledge-agent-config.ts';
import { readMemory } from './memory.ts';
import type { Article } from './passages/article.ts';
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

function articleOf(source: string, place: number): Article {
  const parsed = parseArticle(`article-${place}`, source);
  return parsed.kind === 'invalid' ? expect.fail(parsed.problem) : parsed.article;
}

const HOLIDAYS_ARTICLE = `---
title: When we are closed
keywords: [closing days, holidays]
questions: [When are you closed?]
---
We close on holidays, and for the first Saturday and Sunday of March.`;

const agentOf = (...articles: readonly string[]): Agent =>
  createKnowledgeAgent(
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
          hours: 'Mo-Su 09:00-10:30',
          words: ['phone'],
        },
      ],
      pacing: { minMs: 0, maxMs: 0 },
    },
    createKnowledgeIndex(articles.map(articleOf)),
    // A Friday.
    { now: () => Date.UTC(2026, 2, 13, 10), setTimer: () => () => {} },
  );

const agent = agentOf(SAUNA);

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
  ['sauna hours sat', [WEEKEND, HOLIDAYS]],
  ['when does the sauna open on satuday', [WEEKEND, HOLIDAYS]],
  ['is the sauna open tmrw', [WEEKEND, HOLIDAYS]],
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
    ['**Sauna:** closed now. It opens today, 14:00–21:00', '**Pool:** open now, until 21:30 today.'],
  ],
  ['is the pool open right now?', ['Yes. **Pool:** open now, until 21:30 today.']],
  ['is the sauna open at the moment', ['No. **Sauna:** closed now. It opens today, 14:00–21:00.']],
  ['is the pool closed today', ['**Pool:** open now']],
])('"%s" is answered by the clock and the hours that the article lists by day', async (question, lines) => {
  const answer = textOf(await actionsOf(agent, messageTurn(question)));
  for (const line of lines) expect(answer).toContain(line);
});

/** Title of the article, heads of its columns and names of its rows; a question about tomorrow, and one about now. */
const TABLES: Readonly<
  Record<string, readonly [title: string, rows: readonly string[], ...asked: string[]]>
> = {
  ar: ['ساعات العمل', ['الاثنين–الخميس', 'الجمعة', 'السبت'], 'هل تفتحون غدا؟', 'هل المسبح مفتوح الآن؟'],
  de: [
    'Öffnungszeiten',
    ['Montag bis Donnerstag', 'Freitag', 'Samstag'],
    'Wann habt ihr morgen geöffnet?',
    'Ist jetzt geöffnet?',
  ],
  es: ['Horario', ['lunes a jueves', 'viernes', 'sábado'], '¿Abren mañana?', '¿Está abierto ahora?'],
  fr: [
    'Horaires',
    ['lundi au jeudi', 'vendredi', 'samedi'],
    'Êtes-vous ouverts demain ?',
    'Est-ce ouvert maintenant ?',
  ],
  he: ['שעות פתיחה', ['שני עד חמישי', 'יום שישי', 'שבת'], 'האם אתם פתוחים מחר?', 'האם אתם פתוחים עכשיו?'],
  it: ['Orari', ['da lunedì a giovedì', 'venerdì', 'sabato'], 'Siete aperti domani?', 'È aperto ora?'],
  ja: ['営業時間', ['月〜木', '金曜日', '土曜'], '明日は営業していますか', '今は営業していますか'],
  nl: ['Openingstijden', ['ma–do', 'vrijdag', 'zaterdag'], 'Zijn jullie morgen open?', 'Is het nu open?'],
  pl: [
    'Godziny otwarcia',
    ['od poniedziałku do czwartku', 'piątek', 'sobota'],
    'Czy jest otwarte jutro?',
    'Czy teraz jest otwarte?',
  ],
  pt: ['Horário', ['segunda a quinta', 'sexta-feira', 'sábado'], 'Abrem amanhã?', 'Está aberto agora?'],
  zh: ['营业时间', ['周一至周四', '星期五', '周六'], '你们明天营业吗', '你们现在营业吗'],
};

it.each(Object.entries(TABLES))(
  'narrows a table to the day asked for, and says whether it is open now, in the language %s',
  async (language, [title, [before, today, tomorrow], aboutTomorrow = '', aboutNow = '']) => {
    const source = `---\ntitle: ${title}\nquestions: ["${aboutTomorrow}", "${aboutNow}"]\n---
| – | ${title} |
|---|---|
| ${before} | 07:00–21:00 |
| ${today} | 08:00–20:00 |
| ${tomorrow} | 10:00–18:00 |`;
    const inLanguage = createKnowledgeAgent(
      {
        ...KNOWLEDGE_AGENT_DEFAULTS,
        name: 'Ada',
        languages: [language],
        timeZone: 'Europe/London',
        pacing: { minMs: 0, maxMs: 0 },
      },
      createKnowledgeIndex([{ ...articleOf(source, 0), language }]),
      { now: () => Date.UTC(2026, 2, 13, 10), setTimer: () => () => {} },
    );
    const say = sayIn(language, {}, 0);
    const day = new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(0, 'day');
    const answerTo = async (question: string): Promise<string> =>
      textOf(await actionsOf(inLanguage, messageTurn(question, { language })));
    const narrowed = await answerTo(aboutTomorrow);
    expect(narrowed).toContain(`| ${tomorrow} | 10:00–18:00 |`);
    expect(narrowed).not.toContain('08:00–20:00');
    const now = await answerTo(aboutNow);
    expect(now).toContain(`${say('yes')} **${title}:** ${say('open_now', { time: '20:00', day })}`);
    expect(now).toContain('08:00–20:00');
    expect(now).not.toContain('10:00–18:00');
  },
);

it('adds no rows of other days below a table of one day', async () => {
  const answer = textOf(await actionsOf(agentOf(POOL), messageTurn('are you open on sunday')));
  expect(answer).toContain('| Sunday');
  expect(answer).not.toContain('Monday');
});

const POOL = `---
title: Opening hours
keywords: [open, close, hours]
questions: [When are you open?, What time does the pool close?]
---
| Day | Pool |
|---|---|
| Monday to Friday | 07:00–21:00 |
| Saturday | 09:00–18:30 |
| Sunday | closed |`;

it.each([
  ['and the sauna?', 'Sat & Sun: Sauna 10:00–18:00'],
  ['what about the pool', 'Sat & Sun: Pool 09:00–18:30'],
])('answers "%s" for the day asked for before', async (followUp, hours) => {
  const first = await actionsOf(agent, messageTurn('is the sauna open tomorrow'));
  const history = [{ author: 'agent' as const, text: textOf(first) }];
  const turn = messageTurn(followUp, { state: stateAfter({}, first), history });
  const answer = textOf(await actionsOf(agent, turn));
  expect(answer).toContain(hours);
  expect(answer).not.toContain('Monday');
});

it.each([
  ['when are you closed today', 'Opening hours'],
  ['are you closed on sundays', 'Opening hours'],
  ['when are you closed for easter holidays', 'When we are closed'],
])('finds hours by day for "%s", and for a holiday what is said of those: %s', (question, title) => {
  const index = createKnowledgeIndex([HOLIDAYS_ARTICLE, POOL].map(articleOf));
  expect(findAnswer(index, question, readMemory({})).article?.title).toBe(title);
});

it('answers "and on Saturday?" by the hours of Saturday, although "tomorrow" had the same', async () => {
  const messages = ['when is the sauna open tomorrow', 'and on Saturday?'];
  const { actions } = await converse(
    agentOf(`${SAUNA}\n\n## Towels\n\nA towel costs £2.`),
    messages,
    messageTurn(''),
  );
  expect(textOf(actions)).toContain('| Sat & Sun | 10:00–18:00 |');
  expect(textOf(actions)).not.toContain('Monday');
});
