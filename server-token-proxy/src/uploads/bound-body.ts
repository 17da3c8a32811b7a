import { raceSignal } from '../kit/race-signal.ts';
import { ProxyFailure } from '../proxy-failure.ts';
import { limitPerTurn } from './limit-per-turn.ts';

/** A body with known first bytes and a limited length. */
export interface BoundBody {
  /** The first bytes: as many as requested, or the whole of a shorter body. */
  readonly head: Uint8Array;
  /** The whole body, the head included. */
  readonly stream: ReadableStream<Uint8Array>;
  /** Why the stream failed; null if it has not. */
  readonly failure: () => unknown;
  /** Releases a body that is not read completely. */
  cancel(): void;
}

// Data that arrives faster than it is read comes in 64 kB chunks; a few of them take as long as many visitors'
// requests.
const LARGE_CHUNK_BYTES = 16_384;
const largeChunk = limitPerTurn(2);

/** Refuses a body of more than `maxBytes`. */
export const tooLarge = (maxBytes: number): ProxyFailure =>
  new ProxyFailure('PAYLOAD_TOO_LARGE', `The file is larger than the ${maxBytes} bytes accepted here.`);

/**
 * Reads the first bytes of a body and passes on all of it as it arrives. The stream errors at the first byte beyond
 * `maxBytes` and when the signal aborts. Rejects when that happens within the head. Across all bodies, two large chunks
 * are read at a time.
 */
export async function boundBody(
  body: ReadableStream<Uint8Array>,
  headBytes: number,
  maxBytes: number,
  signal: AbortSignal,
): Promise<BoundBody> {
  const reader = body.getReader();
  let failure: unknown = null;
  let size = 0;
  // The sender may have disconnected, and then nothing is left to cancel.
  const cancel = (): void => void reader.cancel().catch(() => {});
  const read = async (): Promise<Uint8Array | null> => {
    try {
      // A chunk that has already arrived would win the race.
      signal.throwIfAborted();
      const { done, value } = await raceSignal(reader.read(), signal);
      if (done) return null;
      size += value.byteLength;
      if (size > maxBytes) throw tooLarge(maxBytes);
      if (value.byteLength >= LARGE_CHUNK_BYTES) await largeChunk();
      return value;
    } catch (error) {
      failure = error;
      cancel();
      throw error;
    }
  };

  const first: Uint8Array[] = [];
  while (size < headBytes) {
    const chunk = await read();
    if (chunk === null) break;
    first.push(chunk);
  }
  const head = new Uint8Array(await new Blob(first as Uint8Array<ArrayBuffer>[]).arrayBuffer()).subarray(
    0,
    headBytes,
  );
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const chunk = first.shift() ?? (await read());
        if (chunk === null) controller.close();
        else controller.enqueue(chunk);
      },
      cancel,
    },
    // Nothing is read ahead of a slow disk.
    { highWaterMark: 0 },
  );
  return { head, stream, failure: () => failure, cancel };
}
