import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  FOREIGN_QUESTIONS,
  FRESH_QUESTIONS,
  KITTIWAKE_QUESTIONS,
} from '../../../test/agents/kittiwake-questions.ts';
import { findAnswer } from './find-answer.ts';
import { loadIntents } from './intents/load-intents.ts';
import { matchIntent } from './intents/match-intent.ts';
import { readMemory, rememberWords } from './memory.ts';
import { createKnowledgeIndex, type KnowledgeIndex } from './passages/knowledge-index.ts';
import { loadArticles } from './passages/load-articles.ts';
import { rankArticles } from './passages/rank-articles.ts';
import { readQuery } from './question/read-query.ts';

const FOLDER = fileURLToPath(new URL('../../../knowledge/kittiwake', import.meta.url));

let index: KnowledgeIndex;

beforeAll(async () => {
  index = createKnowledgeIndex(await loadArticles(FOLDER));
});

const bestFor = (question: string): string | undefined =>
  rankArticles(index, readQuery(index, question))[0]?.article.slug;

const isAnswered = (question: string): boolean =>
  findAnswer(index, question, readMemory({})).certainty !== 'unknown';

const share = (count: number, all: readonly unknown[]): number => count / all.length;

describe('the knowledge base of Kittiwake Ferries', () => {
  it('holds every article the evaluation expects', () => {
    const slugs = new Set(index.articles.map(({ slug }) => slug));
    const expected = [...KITTIWAKE_QUESTIONS, ...FRESH_QUESTIONS].flatMap(([, ...each]) => each);
    expect(expected.filter((slug) => !slugs.has(slug))).toEqual([]);
    expect(KITTIWAKE_QUESTIONS.length).toBeGreaterThanOrEqual(90);
    expect(FOREIGN_QUESTIONS.length).toBeGreaterThanOrEqual(25);
  });

  it('is not asked in its own words', () => {
    const plain = (text: string): string => text.toLowerCase().replace(/[^a-z0-9 ]/g, '');
    const own = new Set(index.articles.flatMap(({ questions, title }) => [...questions, title]).map(plain));
    const copied = KITTIWAKE_QUESTIONS.filter(([question]) => own.has(plain(question)));
    expect(share(copied.length, KITTIWAKE_QUESTIONS)).toBeLessThan(0.03);
  });

  it('gives the right article first for nine of ten questions', () => {
    const wrong = KITTIWAKE_QUESTIONS.filter(
      ([question, ...slugs]) => !slugs.includes(bestFor(question) ?? ''),
    );
    const report = wrong.map(([question]) => `${question} -> ${bestFor(question)}`).join('\n');
    expect(share(wrong.length, KITTIWAKE_QUESTIONS), report).toBeLessThanOrEqual(0.1);
  });

  it('answers four of five unprepared questions rightly, and says that it does not know to the others', () => {
    const answers = FRESH_QUESTIONS.map(([question, slug]) => {
      const given = findAnswer(index, question, readMemory({})).article?.slug ?? null;
      return { question, slug, given };
    });
    const silent = answers.filter(({ given }) => given === null);
    const wrong = answers.filter(({ given, slug }) => given !== null && given !== slug);
    const report = JSON.stringify([...wrong, ...silent], null, 1);
    expect(FRESH_QUESTIONS.length).toBeGreaterThanOrEqual(40);
    expect(share(silent.length + wrong.length, FRESH_QUESTIONS), report).toBeLessThanOrEqual(0.2);
    expect(share(wrong.length, FRESH_QUESTIONS), report).toBeLessThanOrEqual(0.03);
  });

  it('answers when it has the answer', () => {
    const silent = KITTIWAKE_QUESTIONS.filter(([question]) => !isAnswered(question));
    expect(
      share(silent.length, KITTIWAKE_QUESTIONS),
      silent.map(([question]) => question).join('\n'),
    ).toBeLessThanOrEqual(0.1);
  });

  it('says that it does not know to nine of ten questions about something else', () => {
    const isOffTopic = (question: string): boolean =>
      matchIntent(question, loadIntents(), {
        language: 'en',
        isEnglish: false,
        isKnown: (word) => index.surfaces.has(word),
      }) !== null;
    const answered = FOREIGN_QUESTIONS.filter((question) => isAnswered(question) && !isOffTopic(question));
    expect(share(answered.length, FOREIGN_QUESTIONS), answered.join('\n')).toBeLessThanOrEqual(0.1);
  });

  it('finds every article by its own questions', () => {
    const own = index.articles.flatMap(({ slug, questions }) =>
      questions.map((question) => ({ slug, question })),
    );
    const wrong = own.filter(({ slug, question }) => bestFor(question) !== slug);
    expect(share(wrong.length, own), wrong.map(({ question }) => question).join('\n')).toBeLessThanOrEqual(
      0.03,
    );
  });

  it('leads from every suggestion to an answer', () => {
    const dead = index.articles.flatMap(({ suggestions }) => suggestions).filter((each) => !isAnswered(each));
    expect(dead).toEqual([]);
  });

  it('is asked its own questions past the intents, but for contacts and complaints', () => {
    const context = { language: 'en', isEnglish: false, isKnown: (word: string) => index.surfaces.has(word) };
    const taken = index.articles
      .filter(({ slug }) => slug !== 'contact' && slug !== 'complaints')
      .flatMap(({ questions, suggestions }) => [...questions, ...suggestions])
      .filter((question) => {
        const action = matchIntent(question, loadIntents(), context)?.action ?? 'contact';
        return action !== 'contact' && action !== 'regret';
      });
    expect(taken).toEqual([]);
  });

  it.each([
    [['times to tarrow', 'how long does it take?'], 'port-hallan-to-tarrow'],
    [['times to tarrow', 'and to farholm?'], 'port-hallan-to-farholm'],
    [['can i bring my dog?', 'how much is that'], 'pets'],
    [['can i take my dog', 'is it possible to pay by card'], 'payment-methods'],
    [['how early do i have to check in', 'with a car?'], 'check-in-times'],
    [['do you have cabins', 'is there a shower in it'], 'cabins'],
    [['i lost my phone', 'can you post it to me'], 'lost-property'],
    [['is there food on board', 'and vegan?', 'what about alcohol'], 'smoking-and-alcohol'],
    [['how much is a bike', 'and a tandem?'], 'bicycles'],
    [['how do i cancel', 'is there wifi'], 'wifi'],
    [['can i bring gas bottles', 'how many'], 'dangerous-goods'],
    [['parking port hallan', 'how much per week'], 'parking'],
  ])('follows a conversation (%#)', (questions, slug) => {
    let memory = readMemory({});
    let answered: string | null = null;
    for (const question of questions) {
      const found = findAnswer(index, question, memory);
      answered = found.article?.slug ?? null;
      const words = rememberWords(question, found.isFollowUp ? memory.words : null);
      memory = { ...memory, topic: answered, words };
    }
    expect(answered).toBe(slug);
  });
});
