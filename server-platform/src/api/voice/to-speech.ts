import { type Speech, SpeechError } from './speech-provider.ts';

/** Validates an engine's WAV file. Fails with a `SpeechError` when it is invalid or empty. */
export function toSpeech(bytes: Uint8Array<ArrayBuffer>, engine: string): Speech {
  const wav = readWav(bytes);
  if (wav === null) throw new SpeechError('failed', `${engine} returned no WAV file.`);
  // Only punctuation or an unsupported script: browsers refuse to play an empty file.
  if (wav.info.durationMs === 0)
    throw new SpeechError('refused', 'holds nothing that can be spoken', { field: 'text' });
  return { audio: wav.audio, contentType: 'audio/wav', engine };
}

/** Content of a WAV file. */
type WavInfo = { readonly durationMs: number };

const HEADER_BYTES = 12;

/**
 * Parses a WAV file, and corrects sizes in its header that its writer did not know yet (programs that write to a pipe
 * put 0 or a huge number there, which browsers reject). Null: not a WAV file of uncompressed samples.
 */
export function readWav(
  bytes: Uint8Array<ArrayBuffer>,
): { readonly audio: Uint8Array<ArrayBuffer>; readonly info: WavInfo } | null {
  const audio = new Uint8Array(bytes);
  const view = new DataView(audio.buffer);
  const tag = (at: number): string => String.fromCharCode(...audio.subarray(at, at + 4));
  if (audio.length < HEADER_BYTES || tag(0) !== 'RIFF' || tag(8) !== 'WAVE') return null;
  let bytesPerSecond = 0;
  for (let at = HEADER_BYTES; at + 8 <= audio.length; ) {
    const size = view.getUint32(at + 4, true);
    if (tag(at) === 'data') {
      const length = Math.min(size === 0 ? Number.POSITIVE_INFINITY : size, audio.length - at - 8);
      if (bytesPerSecond === 0) return null;
      view.setUint32(at + 4, length, true);
      view.setUint32(4, at + length, true);
      const whole = audio.slice(0, at + 8 + length);
      return { audio: whole, info: { durationMs: (length / bytesPerSecond) * 1000 } };
    }
    if (tag(at) === 'fmt ' && at + 20 <= audio.length) bytesPerSecond = view.getUint32(at + 16, true);
    // Chunks begin at even offsets.
    at += 8 + size + (size % 2);
  }
  return null;
}
