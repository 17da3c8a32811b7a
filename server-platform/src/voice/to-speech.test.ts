import { describe, expect, it } from 'vitest';
import { createTone } from './testing/tone.ts';
import { toSpeech } from './to-speech.ts';

describe('what an engine made', () => {
  it('is speech when it is a WAV file that lasts', () => {
    const speech = { audio: createTone(10), contentType: 'audio/wav', engine: 'flite' };
    expect(toSpeech(createTone(10), 'flite')).toEqual(speech);
  });

  it('is a refusal of the text when nothing was said', () => {
    expect(() => toSpeech(createTone(0), 'flite')).toThrow(
      expect.objectContaining({ code: 'refused', field: 'text' }),
    );
  });

  it('is a failure when it is something else', () => {
    const bytes = new Uint8Array(Buffer.from('not a WAV file'));
    expect(() => toSpeech(bytes, 'flite')).toThrow(expect.objectContaining({ code: 'failed' }));
  });
});
