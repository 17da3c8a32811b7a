import { streamSafeText } from '../../kit/stream-safe-text.ts';
import { type ConversationText, type Embedder, normalize } from './embedder.ts';

/** Size of a vector of {@link createHashedEmbedder}: a kilobyte per conversation. */
const DIMENSIONS = 256;
const MIN_GRAM = 3;
const MAX_GRAM = 5;
// The agent's texts are similar in all conversations; the user's texts distinguish them.
const AGENT_WEIGHT = 0.3;
const MAX_KEPT_WORDS = 20_000;
const WORD = /[\p{L}\p{N}\p{M}]{1,64}/gu;

type WordVector = { readonly indexes: Uint16Array; readonly values: Float32Array };

/**
 * An embedder without a model or network: hashes words and their character sequences into a vector of fixed size. It
 * finds other forms of the same words, compounds and misspellings, in any language, but no meaning: a synonym without
 * common letters is not found. For that, configure an embeddings endpoint.
 */
export function createHashedEmbedder(): Embedder {
  const words = new WordVectors();
  return {
    name: `hashed-${DIMENSIONS}-1`,
    async embedConversations(texts) {
      const vectors: Float32Array[] = [];
      for (const text of texts) {
        vectors.push(embed(words, text));
        // A batch contains hundreds of conversations; yields to other work between two of them.
        await new Promise((resolve) => setImmediate(resolve));
      }
      return vectors;
    },
    embedQuery: async (query) => embed(words, { user: query, agent: '' }),
  };
}

function embed(words: WordVectors, { user, agent }: ConversationText): Float32Array {
  const vector = new Float32Array(DIMENSIONS);
  addText(vector, words, user, 1);
  addText(vector, words, agent, AGENT_WEIGHT);
  return normalize(vector);
}

function addText(vector: Float32Array, words: WordVectors, text: string, weight: number): void {
  const counts = new Map<string, number>();
  for (const [word] of streamSafeText(text).normalize('NFKC').toLowerCase().matchAll(WORD)) {
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  for (const [word, count] of counts) {
    const { indexes, values } = words.get(word);
    const factor = weight * wordWeight(word) * (1 + Math.log(count));
    for (let at = 0; at < indexes.length; at += 1) {
      const index = indexes[at] ?? 0;
      vector[index] = (vector[index] ?? 0) + factor * (values[at] ?? 0);
    }
  }
}

/** In most languages the commonest words, which carry the least meaning, are short. */
function wordWeight(word: string): number {
  // Scripts that need one or two characters per word have no short forms.
  if (/[^\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}\p{M}]/u.test(word)) return 1;
  return word.length <= 2 ? 0.2 : word.length === 3 ? 0.5 : 1;
}

/** Cache of vectors by word, because a few thousand words make up most texts. */
class WordVectors {
  readonly #kept = new Map<string, WordVector>();

  get(word: string): WordVector {
    const known = this.#kept.get(word);
    if (known !== undefined) return known;
    if (this.#kept.size >= MAX_KEPT_WORDS) this.#kept.clear();
    const made = hashWord(word);
    this.#kept.set(word, made);
    return made;
  }
}

/** Half of each term's weight is on the word, half on its character sequences. */
function hashWord(word: string): WordVector {
  const padded = `^${word}$`;
  const grams: string[] = [];
  for (let size = MIN_GRAM; size <= MAX_GRAM; size += 1) {
    for (let at = 0; at + size <= padded.length; at += 1) grams.push(padded.slice(at, at + size));
  }
  const sums = new Map<number, number>();
  const add = (feature: string, value: number): void => {
    const hash = fnv1a(feature);
    const index = hash % DIMENSIONS;
    // The sign makes collisions cancel out instead of adding up.
    sums.set(index, (sums.get(index) ?? 0) + ((hash >>> 16) & 1 ? value : -value));
  };
  add(`=${word}`, Math.SQRT1_2);
  for (const gram of grams) add(gram, Math.SQRT1_2 / Math.sqrt(grams.length));
  return { indexes: Uint16Array.from(sums.keys()), values: Float32Array.from(sums.values()) };
}

function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  // The lower bits of this hash are weak; mixing the upper ones in spreads them.
  return (hash ^ (hash >>> 15)) >>> 0;
}
