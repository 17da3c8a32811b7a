import { describe, expect, it } from 'vitest';
import { createTone } from '../../../test/api/voice/tone.ts';
import { readWav, toSpeech } from './to-speech.ts';

describe('what an engine made', () => {
  it('accepts a WAV file with a duration as speech', () => {
    const speech = { audio: createTone(10), contentType: 'audio/wav', engine: 'flite' };
    expect(toSpeech(createTone(10), 'flite')).toEqual(speech);
  });

  it('refuses a text that produced no speech', () => {
    expect(() => toSpeech(createTone(0), 'flite')).toThrow(
      expect.objectContaining({ code: 'refused', field: 'text' }),
    );
  });

  it('fails for output other than a WAV file', () => {
    const bytes = new Uint8Array(Buffer.from('not a WAV file'));
    expect(() => toSpeech(bytes, 'flite')).toThrow(expect.objectContaining({ code: 'failed' }));
  });
});

describe('a WAV file', () => {
  it("reads a WAV file's duration", () => {
    expect(readWav(createTone(250))?.info.durationMs).toBe(250);
  });

  it.each([0, 0x7ffff000, 0xffffffff])(
    "corrects a WAV file's sizes when its writer put %d there",
    (unknown) => {
      const streamed = createTone(250);
      const view = new DataView(streamed.buffer);
      view.setUint32(4, unknown, true);
      view.setUint32(40, unknown, true);
      expect(readWav(streamed)?.audio).toEqual(createTone(250));
    },
  );

  it('accepts a WAV file with other chunks before its samples', () => {
    const tone = Buffer.from(createTone(100));
    const note = Buffer.concat([Buffer.from('LIST\x03\0\0\0abc\0', 'latin1')]);
    const bytes = new Uint8Array(Buffer.concat([tone.subarray(0, 36), note, tone.subarray(36)]));
    expect(readWav(bytes)?.info.durationMs).toBe(100);
  });

  it.each(['', 'RIFF', 'RIFF....WAVE', 'ID3\x03 an MP3', 'RIFF....WAVEdata\x04\0\0\0abcd'])(
    'rejects %j as a WAV file',
    (text) => {
      expect(readWav(new Uint8Array(Buffer.from(text, 'latin1')))).toBeNull();
    },
  );
});
