import { type Speech, SpeechError } from './speech-provider.ts';
import { readWav } from './wav.ts';

/** The WAV file that an engine made. Fails with a `SpeechError` when it is none, or when there was nothing to say. */
export function toSpeech(bytes: Uint8Array<ArrayBuffer>, engine: string): Speech {
  const wav = readWav(bytes);
  if (wav === null) throw new SpeechError('failed', `${engine} gave no WAV file.`);
  // Signs only, or another script: browsers refuse to play nothing.
  if (wav.facts.durationMs === 0)
    throw new SpeechError('refused', 'holds nothing that can be spoken', { field: 'text' });
  return { audio: wav.audio, contentType: 'audio/wav', engine };
}
