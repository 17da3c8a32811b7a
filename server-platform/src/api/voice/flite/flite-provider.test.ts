import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { readWav } from '../to-speech.ts';
import { createFliteProvider } from './flite-provider.ts';

const { signal } = new AbortController();

async function durationOf(text: string, config: Readonly<Record<string, unknown>> = {}): Promise<number> {
  const { audio, contentType, engine } = await createFliteProvider().speak({
    text,
    language: 'en-GB',
    config,
    signal,
  });
  expect([contentType, engine]).toEqual(['audio/wav', 'flite']);
  return readWav(audio)?.info.durationMs ?? 0;
}

describe('Flite', () => {
  it('speaks longer for more words and for a slower pace', async () => {
    const short = await durationOf('Hello.');
    const long = await durationOf('Hello, the ferry to Mewsay leaves at a quarter past nine from berth two.');
    expect(short).toBeGreaterThan(200);
    expect(long).toBeGreaterThan(3 * short);
    expect(await durationOf('Hello.', { speed: 0.5 })).toBeGreaterThan(1.5 * short);
  });

  it('speaks with every voice that Flite offers', async () => {
    for (const voice of ['slt', 'rms', 'awb', 'kal16', 'kal'])
      expect(await durationOf('Hello.', { voice }), voice).toBeGreaterThan(200);
  });

  it('speaks a text that looks like an option, and leaves no file behind', async () => {
    const before = (await readdir(tmpdir())).filter((name) => name.startsWith('natter-speech-'));
    expect(await durationOf('-o /out/other.wav -version')).toBeGreaterThan(200);
    expect(await durationOf('a'.repeat(1_000))).toBeGreaterThan(200);
    const after = (await readdir(tmpdir())).filter((name) => name.startsWith('natter-speech-'));
    expect(after.filter((name) => !before.includes(name))).toEqual([]);
  });

  it('refuses other languages, voices and paces than Flite offers', async () => {
    const say = (fields: object) =>
      createFliteProvider().speak({ text: 'Hi', language: 'en', config: {}, signal, ...fields });
    await expect(say({ language: 'de' })).rejects.toMatchObject({ code: 'refused', field: 'language' });
    await expect(say({ config: { voice: 'nova' } })).rejects.toMatchObject({ field: 'config' });
    await expect(say({ config: { speed: '2' } })).rejects.toMatchObject({ field: 'config' });
  });

  it('stops Flite when the caller disconnects', async () => {
    const controller = new AbortController();
    const text = 'a long way to go '.repeat(50);
    const speech = createFliteProvider().speak({
      text,
      language: 'en',
      config: {},
      signal: controller.signal,
    });
    controller.abort(new Error('gone'));
    await expect(speech).rejects.toThrow('gone');
  });
});
