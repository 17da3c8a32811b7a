import * as v from 'valibot';

/** The agent's memory from one turn to the next. */
export interface Memory {
  /** Slug of the article last answered from. */
  readonly topic: string | null;
  /** The words that led there, newest first. */
  readonly words: string;
  /** The name of the last tool that answered, and the value that it asked to keep. */
  readonly tool?: { readonly name: string; readonly remembered: unknown } | undefined;
  /** True when the last message offered a person, so that "yes please" is an answer to it. */
  readonly hasOfferedPerson: boolean;
  /** Questions in a row without an answer. */
  readonly misses: number;
  /** The last question without an answer. */
  readonly missed?: string | undefined;
  /** The reason for the hand-off, if there was one. */
  readonly cause?: 'complaint' | 'emergency' | undefined;
}

/** Key of the memory in the conversation's state. The underscore makes it private to the agent. */
export const MEMORY_KEY = '_knowledge';

const EMPTY: Memory = { topic: null, words: '', hasOfferedPerson: false, misses: 0 };

const memorySchema = v.object({
  topic: v.nullable(v.string()),
  words: v.string(),
  tool: v.optional(v.object({ name: v.string(), remembered: v.unknown() })),
  hasOfferedPerson: v.boolean(),
  misses: v.number(),
  missed: v.optional(v.string()),
  cause: v.optional(v.picklist(['complaint', 'emergency'])),
});

/** Reads the memory from the state. A state that this agent did not write counts as empty. */
export function readMemory(state: Readonly<Record<string, unknown>>): Memory {
  const result = v.safeParse(memorySchema, state[MEMORY_KEY]);
  return result.success ? result.output : EMPTY;
}

// Enough for two or three short questions.
const MAX_WORDS_CHARACTERS = 240;

/** The words to remember after a question; a follow-up also keeps the words of earlier questions. */
export function rememberWords(text: string, followed: string | null): string {
  return (followed === null ? text : `${text} ${followed}`).slice(0, MAX_WORDS_CHARACTERS);
}
