/** The texts of a conversation, without greetings. */
export interface ConversationText {
  readonly user: string;
  readonly agent: string;
}

/** The embedder rejected its input, and will reject the same texts again. Recognise it with {@link isRefusedText}. */
export class RefusedTextError extends Error {
  override readonly name = 'RefusedTextError';
}

/** Whether a caught value is a {@link RefusedTextError}. */
export function isRefusedText(error: unknown): error is RefusedTextError {
  return error instanceof Error && error.name === 'RefusedTextError';
}

/** Turns texts into vectors of length 1; similar texts get vectors with a large inner product. */
export interface Embedder {
  /** Identifies method and size: vectors of embedders with different names cannot be compared. */
  readonly name: string;
  /**
   * One vector each, in order. Rejects with a `RefusedTextError` for unacceptable texts, otherwise when the embedder is
   * unreachable.
   */
  embedConversations(
    texts: readonly ConversationText[],
    signal: AbortSignal,
  ): Promise<readonly Float32Array[]>;
  embedQuery(query: string, signal: AbortSignal): Promise<Float32Array>;
}

/** Scales a vector to length 1; a zero vector stays unchanged. */
export function normalize(vector: Float32Array): Float32Array {
  let sum = 0;
  for (const value of vector) sum += value * value;
  if (sum === 0) return vector;
  const factor = 1 / Math.sqrt(sum);
  return vector.map((value) => value * factor);
}
