import { describe, expect, it } from 'vitest';
import { createTone } from '../../../test/api/voice/tone.ts';
import { readWav, toSpeech } from './to-speech.ts';

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

describe('a WAV file', () => {
  it('says how long it is', () => {
    expect(readWav(createTone(250))?.facts.durationMs).toBe(250);
  });

  it.each([0, 0x7ffff000, 0xffffffff])('gets its sizes when its writer put %d there', (unknown) => {
    const streamed = createTone(250);
    const view = new DataView(streamed.buffer);
    view.setUint32(4, unknown, true);
    view.setUint32(40, unknown, true);
    expect(readWav(streamed)?.audio).toEqual(createTone(250));
  });

  it('may have other chunks before its samples', () => {
    const tone = Buffer.from(createTone(100));
    const note = Buffer.concat([Buffer.from('LIST\x03\0\0\0abc\0', 'latin1')]);
    const bytes = new Uint8Array(Buffer.concat([tone.subarray(0, 36), note, tone.subarray(36)]));
    expect(readWav(bytes)?.facts.durationMs).toBe(100);
  });

  it.each(['', 'RIFF', 'RIFF....WAVE', 'ID3\x03 an MP3', 'RIFF....WAVEdata\x04\0\0\0abcd'])(
    'is not %j',
    (text) => {
      expect(readWav(new Uint8Array(Buffer.from(text, 'latin1')))).toBeNull();
    },
  );
});
