import type { Agent, AgentTurn } from '@natter/platform';

const WORDS = [
  'The',
  'ferry',
  'leaves',
  'at',
  'nine,',
  'when',
  'the',
  'fog',
  'has',
  'gone',
  '–',
  'não',
  'antes.',
];

// As long as a chunk may be, so that an answer of many megabytes is made at once.
const BIG_PIECE = 'x'.repeat(16_000);

/** A number that depends on nothing but the text. */
function hashOf(text: string): number {
  let hash = 0;
  for (const character of text) hash = (Math.imul(hash, 31) + (character.codePointAt(0) ?? 0)) >>> 0;
  return hash;
}

/** How many pieces an answer has; some texts ask for more than a socket or a page of the replay can hold. */
function lengthOf(text: string): number {
  if (text.includes('long story')) return 260;
  return 1 + (hashOf(text) % 14);
}

/** The answer to a text, in the pieces in which it is written: the same for the same text. */
function answerTo(text: string): readonly string[] {
  const hash = hashOf(text);
  if (text.includes('big answer'))
    return [`You said: ${text}. `, ...Array.from({ length: 400 }, () => BIG_PIECE)];
  const words = Array.from(
    { length: lengthOf(text) },
    (_, index) => `${WORDS[(hash + index * 7) % WORDS.length] ?? ''} `,
  );
  return [`You said: ${text}. `, ...words];
}

/** An agent that answers every message word by word, at its own pace, and some without ever coming to an end. */
export function createChattyAgent(pauseMs: number): Agent {
  async function* run(turn: AgentTurn): AsyncGenerator<{ readonly type: 'text'; readonly text: string }> {
    const pieces =
      turn.kind === 'greeting' ? ['Hello! ', 'How ', 'can ', 'I ', 'help?'] : answerTo(turn.text);
    for (const text of pieces) {
      yield { type: 'text', text };
      if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    if (turn.kind !== 'greeting' && turn.text.includes('never ends')) await new Promise(() => {});
  }
  return { name: 'Ada', avatarUrl: null, run };
}
