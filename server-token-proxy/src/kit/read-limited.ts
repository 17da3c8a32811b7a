import { raceSignal } from './race-signal.ts';

/** The bytes of a body, or the reason why there are none. */
export type LimitedBody =
  | { readonly status: 'read'; readonly bytes: Uint8Array }
  | { readonly status: 'too-large' };

/**
 * Reads a stream up to `maxBytes` and stops at the first byte beyond, so that a body without or with a false
 * `Content-Length` takes no more memory than an honest one. Rejects when the stream fails or the signal aborts.
 */
export async function readLimited(
  stream: ReadableStream<Uint8Array> | null,
  maxBytes: number,
  signal: AbortSignal,
): Promise<LimitedBody> {
  if (stream === null) return { status: 'read', bytes: new Uint8Array() };
  const reader = stream.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  let isDone = false;
  try {
    for (;;) {
      const { done, value } = await raceSignal(reader.read(), signal);
      if (done) break;
      size += value.byteLength;
      if (size > maxBytes) return { status: 'too-large' };
      chunks.push(value);
    }
    isDone = true;
  } finally {
    // The sender may have disconnected, and then nothing is left to cancel.
    if (!isDone) void reader.cancel().catch(() => {});
  }
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return { status: 'read', bytes };
}
