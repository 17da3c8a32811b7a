import { findAnswer } from './find-answer.ts';
import type { Memory } from './memory.ts';
import type { KnowledgeIndex } from './passages/knowledge-index.ts';
import { ASKS_FOR_THING, type SplitMessage } from './question/split-questions.ts';
import { foldText } from './text/tokenize.ts';

// "Is there wifi and a restaurant on the ground floor": how it is asked and where hold for every thing.
const ASKS = new RegExp(
  `^(?:${ASKS_FOR_THING}|do you do|any|what about|info(?:rmation)? (?:on|about))(?: any)?\\s+`,
  'i',
);
const WHERE = / (?:on|at|in|aboard) .{3,40}$/i;
const SEPARATOR = /,? (?:and|&|\+) |, ?/;
const MAX_CHARACTERS = 160;
const MAX_THINGS = 5;

// A sentence is no list of things.
const HAS_VERB =
  /\b(?:i|we|you|he|she|it|they|my|is|are|was|am|be|can|could|do|does|did|will|would|have|has|had|want|need|get|go|come|take|bring|how|what|when|where|which|who|why|back|from|to|between)\b/;

/**
 * A message that asks for things of different articles without a verb for each: "life jackets for kids and a doctor?",
 * "parking, wifi, dogs".
 */
export function splitList(text: string, index: KnowledgeIndex, memory: Memory): SplitMessage | null {
  if (text.length > MAX_CHARACTERS) return null;
  const line = text.trim().replace(/(?<![\s?])[\s?]+$/, '');
  if (/[?!.;:\n]/.test(line)) return null;
  const asked = ASKS.exec(line)?.[0] ?? '';
  const where = WHERE.exec(line)?.[0] ?? '';
  const list = line.slice(asked.length, line.length - where.length);
  const things = list.split(SEPARATOR);
  // Two words with a comma are no list: "Tarrow, tomorrow".
  const isList = things.length > 2 || (things.length === 2 && !list.includes(','));
  const isNamed = things.every((thing) => thing.trim().length > 2);
  if (!isList || !isNamed || things.length > MAX_THINGS || HAS_VERB.test(foldText(list))) return null;
  const answers = things.map((thing) => findAnswer(index, thing, { ...memory, topic: null }));
  if (answers.some(({ certainty }) => certainty !== 'confident')) return null;
  if (new Set(answers.map(({ article }) => article)).size < 2) return null;
  return {
    questions: things.map((thing) => `${asked}${thing.trim()}${where}${asked === '' ? '' : '?'}`),
    context: '',
  };
}
