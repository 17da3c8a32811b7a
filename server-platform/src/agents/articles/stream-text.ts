import { type AgentClock, sleep } from '../agent-clock.ts';

/** Pause between two pieces of an answer, in milliseconds. Both 0: no pauses. */
export interface Pacing {
  readonly minMs: number;
  readonly maxMs: number;
}

/**
 * Cuts a text into groups of one to four words, each with the white space after it. Joined, the pieces are the text.
 * A Markdown link is never cut, so that it does not flicker as raw text.
 */
export function cutIntoPieces(text: string): readonly string[] {
  const words = text.match(/^\s+$|(?:^\s+)?(?:!?\[[^[\]\n]*\]\([^)\s[]*\)|\S)+\s*/g) ?? [];
  const pieces: string[] = [];
  let position = 0;
  while (position < words.length) {
    const size = 2 + (pieces.length % 3);
    pieces.push(words.slice(position, position + size).join(''));
    position += size;
  }
  return pieces;
}

/** Yields a text piece by piece, with pauses that are a little longer after the end of a sentence. */
export async function* streamText(
  text: string,
  pacing: Pacing,
  clock: AgentClock,
  signal: AbortSignal,
): AsyncIterable<string> {
  let delayMs = 0;
  for (const piece of cutIntoPieces(text)) {
    if (delayMs > 0) await sleep(clock, delayMs, signal);
    signal.throwIfAborted();
    yield piece;
    const isSentenceEnd = /[.!?:]\s*$/.test(piece);
    // Derived from the piece instead of a random number, so that the same answer always has the same pauses.
    delayMs = isSentenceEnd
      ? pacing.maxMs
      : pacing.minMs + (piece.length % 8) * ((pacing.maxMs - pacing.minMs) / 8);
  }
}
