/** Length of an interval, in milliseconds. Source: section 5. */
export const INTERVAL_MS = 300_000;

const SPAN_BYTES = 8;

/**
 * Counts how many of the added conversations are open at the same time, and keeps the highest count of each interval.
 * Times are milliseconds after the start of the first interval.
 *
 * Conversations are added in parts by start time: call `add` with those that start before a time, then `advance` to it.
 */
export class Sweep {
  readonly peaks: Int32Array;
  #begins: Int32Array = new Int32Array(0);
  /** Ascending after every `advance`. */
  #ends: Int32Array = new Int32Array(0);
  #interval = 0;

  constructor(intervals: number) {
    this.peaks = new Int32Array(intervals);
  }

  /**
   * Adds the start and end of conversations, two big-endian int4 each, in any order, as base64. No end precedes its
   * start.
   */
  add(spans: string): void {
    const bytes = Buffer.from(spans, 'base64');
    const count = bytes.length / SPAN_BYTES;
    const begins = new Int32Array(this.#begins.length + count);
    const ends = new Int32Array(this.#ends.length + count);
    begins.set(this.#begins);
    ends.set(this.#ends);
    for (let index = 0; index < count; index += 1) {
      begins[this.#begins.length + index] = bytes.readInt32BE(index * SPAN_BYTES);
      ends[this.#ends.length + index] = bytes.readInt32BE(index * SPAN_BYTES + 4);
    }
    this.#begins = begins;
    this.#ends = ends;
  }

  /** Counts the intervals before the given one. All conversations that start before it must have been added. */
  advance(toInterval: number): void {
    const begins = this.#begins.sort();
    const ends = this.#ends.sort();
    // `ends` contains all open conversations and those yet to start.
    let open = ends.length - begins.length;
    let ended = 0;
    let begun = 0;
    // A conversation that ends as another one starts does not overlap it (CC-3).
    const closeUntil = (ms: number): void => {
      while (ended < ends.length && (ends[ended] ?? 0) <= ms) ended += 1;
    };
    for (; this.#interval < toInterval; this.#interval += 1) {
      const markMs = this.#interval * INTERVAL_MS;
      closeUntil(markMs);
      let peak = open - ended;
      while (begun < begins.length && (begins[begun] ?? 0) < markMs + INTERVAL_MS) {
        closeUntil(begins[begun] ?? 0);
        open += 1;
        begun += 1;
        peak = Math.max(peak, open - ended);
      }
      this.peaks[this.#interval] = peak;
    }
    this.#begins = begins.slice(begun);
    this.#ends = ends.slice(ended);
  }
}
