import { setImmediate } from 'node:timers/promises';
import { topicStems } from '../../agents/index.ts';
import type { Topic } from './overview.ts';

/** A question, and the conversation it was asked in. */
export interface Question {
  readonly question: string;
  readonly id: string;
}

const MAX_TOPICS = 20;
const MAX_EXAMPLES = 5;
// What a question is about stands in few words; comparing all words of long texts would hold up other requests.
const MAX_STEMS = 12;
const MAX_LABEL_CHARACTERS = 120;
// Questions that are read before other requests get their turn: a few milliseconds.
const READ_AT_ONCE = 5;
// Two questions are about the same thing if the words that they share make up half of the shorter one.
const LEAST_SHARED = 0.5;

/** A question as it is compared. */
interface Read extends Question {
  readonly label: string;
  readonly stems: readonly string[];
}

/**
 * Groups questions (the latest first) by what they are about, the largest group first. A group is named by the question that
 * most others resemble; rare words count more than frequent ones. Questions without a word that names a subject are left out.
 */
export async function groupByTopic(questions: readonly Question[]): Promise<Topic[]> {
  const all: Read[] = [];
  for (const [position, question] of questions.entries()) {
    if (position % READ_AT_ONCE === 0) await setImmediate();
    const asked = read(question);
    if (asked.stems.length > 0) all.push(asked);
  }
  const likeness = compare(all);
  const isTaken = all.map(() => false);
  const topics: Topic[] = [];
  // The one that resembles most others first; of several one that is asked, then the latest.
  const order = all
    .map((_, position) => position)
    .sort((one, other) => sizeOf(other) - sizeOf(one) || isAsked(other) - isAsked(one) || one - other);
  for (const seed of order) {
    if (isTaken[seed] === true) continue;
    const members = (likeness[seed] ?? []).filter((each) => isTaken[each] !== true);
    for (const each of members) isTaken[each] = true;
    const its = members.flatMap((each) => all[each] ?? []);
    topics.push({
      question: all[seed]?.label ?? '',
      count: its.length,
      questions: withoutRepeats(its).slice(0, MAX_EXAMPLES),
    });
  }
  return topics.sort((one, other) => other.count - one.count).slice(0, MAX_TOPICS);

  function sizeOf(position: number): number {
    return likeness[position]?.length ?? 0;
  }
  function isAsked(position: number): number {
    return asks(all[position]?.label ?? '') ? 1 : 0;
  }
}

function read({ question, id }: Question): Read {
  const label = askedIn(question);
  return { question, id, label, stems: [...topicStems(label)].slice(0, MAX_STEMS) };
}

const DENSE_SCRIPT = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
// "OK?" and "Why?" ask about what stands beside them.
const asks = (sentence: string): boolean =>
  /[?？؟]$/.test(sentence) && sentence.length > (DENSE_SCRIPT.test(sentence) ? 4 : 8);

/** The sentence of a message that asks; of a message without one, its first words. */
function askedIn(text: string): string {
  const sentences = text.match(/[^.!?。！？؟\n]+[.!?。！？؟]*/g)?.map((each) => each.trim()) ?? [];
  const asking = sentences.find(asks);
  const label = (asking ?? text).replace(/\s+/g, ' ').trim();
  if (label.length <= MAX_LABEL_CHARACTERS) return label;
  const cut = label.lastIndexOf(' ', MAX_LABEL_CHARACTERS - 1);
  return `${label.slice(0, cut > 0 ? cut : MAX_LABEL_CHARACTERS - 1)}…`;
}

/** For each question the positions of those that it resembles, itself among them. */
function compare(all: readonly Read[]): readonly (readonly number[])[] {
  const holders = new Map<string, number[]>();
  for (const [position, { stems }] of all.entries())
    for (const stem of stems) {
      const found = holders.get(stem);
      if (found === undefined) holders.set(stem, [position]);
      else found.push(position);
    }
  const weightOf = (stem: string): number => Math.log(1 + all.length / (holders.get(stem)?.length ?? 1));
  const weights = all.map(({ stems }) => stems.reduce((sum, stem) => sum + weightOf(stem), 0));
  return all.map(({ stems }, position) => {
    const shared = new Float64Array(all.length);
    for (const stem of stems) {
      const weight = weightOf(stem);
      for (const other of holders.get(stem) ?? []) shared[other] = (shared[other] ?? 0) + weight;
    }
    const own = weights[position] ?? 0;
    const alike: number[] = [];
    for (const [other, weight] of shared.entries())
      if (weight > 0 && weight >= LEAST_SHARED * Math.min(own, weights[other] ?? 0)) alike.push(other);
    return alike;
  });
}

/** The latest of questions in the same words. */
function withoutRepeats(questions: readonly Read[]): Question[] {
  const byWords = new Map<string, Question>();
  for (const { question, id } of questions) {
    const words = question.trim().toLowerCase();
    if (!byWords.has(words)) byWords.set(words, { question, id });
  }
  return [...byWords.values()];
}
