import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AgentClock } from '../agent-clock.ts';
import { cutIntoPieces, streamText } from './stream-text.ts';

describe('the pieces of a text', () => {
  it('joins the pieces of any text to the same text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 200 }),
        (text) => cutIntoPieces(text).join('') === text,
      ),
    );
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(' ', '\n', 'a', '[b c](d)', '![', '](', '**', '- '), { maxLength: 40 }),
        (parts) => {
          expect(cutIntoPieces(parts.join('')).join('')).toBe(parts.join(''));
        },
      ),
    );
  });

  it('cuts a text into pieces of a few words, and never cuts a link', () => {
    const pieces = cutIntoPieces(
      'See [how to change a booking](https://help.example.com/change) before you cancel anything at all.',
    );
    expect(pieces.length).toBeGreaterThan(2);
    expect(
      pieces.some((piece) => piece.includes('[how to change a booking](https://help.example.com/change)')),
    ).toBe(true);
  });
});

describe('the pace', () => {
  const pausesOf = async (text: string, minMs: number, maxMs: number): Promise<readonly number[]> => {
    const pauses: number[] = [];
    const clock: AgentClock = {
      now: () => 0,
      setTimer(callback, delayMs) {
        pauses.push(delayMs);
        queueMicrotask(callback);
        return () => {};
      },
    };
    const pieces: string[] = [];
    for await (const piece of streamText(text, { minMs, maxMs }, clock, new AbortController().signal))
      pieces.push(piece);
    expect(pieces.join('')).toBe(text);
    return pauses;
  };

  it('keeps every pause within its limits, and none before the first piece', async () => {
    const text =
      'A car up to 5 m costs £42 each way. The driver is included. A motorhome costs more than that.';
    const pauses = await pausesOf(text, 15, 30);
    expect(pauses).toHaveLength(cutIntoPieces(text).length - 1);
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(15);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(30);
  });

  it('sends a text without pauses when no pace is set', async () => {
    expect(await pausesOf('One two three. Four five six seven.', 0, 0)).toEqual([]);
  });
});
