import type { Agent, AgentTurn } from '../../server-platform/src/agents/index.ts';

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

/** A number that depends on nothing but the text. */
function hashOf(text: string): number {
  let hash = 0;
  for (const character of text) hash = (Math.imul(hash, 31) + (character.codePointAt(0) ?? 0)) >>> 0;
  return hash;
}

/** The answer to a text, in the pieces in which it is written: the same for the same text. */
export function answerTo(text: string): readonly string[] {
  const hash = hashOf(text);
  const length = 1 + (hash % 14);
  const words = Array.from({ length }, (_, index) => `${WORDS[(hash + index * 7) % WORDS.length] ?? ''} `);
  return [`You said: ${text}. `, ...words];
}

/** An agent that answers every message word by word, at its own pace. */
export function createChattyAgent(pauseMs: number): Agent {
  async function* run(turn: AgentTurn): AsyncGenerator<{ readonly type: 'text'; readonly text: string }> {
    const pieces =
      turn.kind === 'greeting' ? ['Hello! ', 'How ', 'can ', 'I ', 'help?'] : answerTo(turn.text);
    for (const text of pieces) {
      yield { type: 'text', text };
      if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
  return { name: 'Ada', avatarUrl: null, run };
}
