import type { Article } from './article.ts';
import { findAnswer } from './find-answer.ts';
import type { KnowledgeIndex } from './knowledge-index.ts';
import type { Memory } from './memory.ts';
import { ASKS_FOR_THING, type SplitMessage } from './split-questions.ts';
import { foldText } from './text/tokenize.ts';

// "Is there wifi and a restaurant": what is asked of the first thing is asked of the second.
const ASKS = `(?:${ASKS_FOR_THING}|do you do|any|what about|info(?:rmation)? (?:on|about))(?: any)?`;
const WORDS = '[^?!.,;:]{3,40}';
const PAIR = new RegExp(
  `^\\s*(?<asked>${ASKS}\\s+)?(?<one>${WORDS}?) (?:and|&|\\+) (?<other>${WORDS}?)(?<where> (?:on|at|in|aboard) ${WORDS})?[\\s?]*$`,
  'i',
);

// A sentence is no pair of things.
const HAS_VERB =
  /\b(?:i|we|you|he|she|it|they|my|is|are|was|am|be|can|could|do|does|did|will|would|have|has|had|want|need|get|go|come|take|bring|how|what|when|where|which|who|why|back|from|to|between)\b/;

/** A message that asks for two things of different articles without a second verb: "life jackets for kids and a doctor?" */
export function splitPair(text: string, index: KnowledgeIndex, memory: Memory): SplitMessage | null {
  const { asked = '', one = '', other = '', where = '' } = PAIR.exec(text)?.groups ?? {};
  if (one === '' || HAS_VERB.test(foldText(`${one} ${other}`))) return null;
  const fresh = { ...memory, topic: null };
  const articleOf = (thing: string): Article | null => {
    const { certainty, article } = findAnswer(index, thing, fresh);
    return certainty === 'confident' ? article : null;
  };
  const first = articleOf(one);
  const second = articleOf(other);
  if (first === null || second === null || first === second) return null;
  return { questions: [one, other].map((thing) => `${asked}${thing}${where}?`), context: '' };
}
