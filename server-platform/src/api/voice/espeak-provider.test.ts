import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTone } from '../../../test/api/voice/tone.ts';
import { createEspeakProvider } from './espeak-provider.ts';
import { createEmbeddedProvider, SpeechError, type SpeechProvider } from './speech-provider.ts';

const { signal } = new AbortController();
const SAY = { text: 'Moin, £5; $(date)', language: 'de-AT', config: {}, signal };

describe('the program espeak-ng', () => {
  let folder: string;
  let program: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'natter-espeak-'));
    program = join(folder, 'espeak-ng');
    // Replaces the program: the same options, and a header without sizes, as it writes to a pipe.
    const tone = Buffer.from(createTone(40));
    tone.writeUInt32LE(0x7ffff000, 40);
    await writeFile(join(folder, 'tone.wav'), tone);
    await writeFile(
      program,
      `#!/bin/sh
cd "$(dirname "$0")"
if [ "$1" = --voices ]; then
  echo 'Pty Language       Age/Gender VoiceName          File                 Other Languages'
  echo ' 5  de              --/M      German             gmw/de'
  echo ' 5  en-gb           --/M      English            gmw/en'
  exit 0
fi
echo "$@" > args
cat > said
[ "$(cat said)" = fail ] && exit 3
cat tone.wav
`,
    );
    await chmod(program, 0o700);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const espeak = async (): Promise<SpeechProvider> => {
    const provider = await createEspeakProvider(program);
    if (provider === null) throw new Error('the program cannot be run');
    return provider;
  };

  it('speaks the languages it lists, through a pipe and no shell', async () => {
    const speech = await (await espeak()).speak(SAY);
    expect(speech).toEqual({ audio: createTone(40), contentType: 'audio/wav', engine: 'espeak-ng' });
    expect(await readFile(join(folder, 'said'), 'utf8')).toBe(SAY.text);
    expect(await readFile(join(folder, 'args'), 'utf8')).toBe('--stdin --stdout -b 1 -s 175 -v de\n');
  });

  it('takes voice and pace from the caller', async () => {
    await (await espeak()).speak({ ...SAY, language: 'en-GB', config: { voice: 'en-gb+f3', speed: 2 } });
    expect(await readFile(join(folder, 'args'), 'utf8')).toContain('-s 350 -v en-gb+f3');
    for (const config of [{ voice: '-w /tmp/x' }, { voice: '../x' }, { speed: 3 }])
      await expect((await espeak()).speak({ ...SAY, config })).rejects.toMatchObject({ field: 'config' });
  });

  it('refuses languages it does not list, and fails when the program does', async () => {
    const provider = await espeak();
    await expect(provider.speak({ ...SAY, language: 'fr' })).rejects.toMatchObject({ field: 'language' });
    await expect(provider.speak({ ...SAY, text: 'fail' })).rejects.toMatchObject({ code: 'failed' });
  });

  it('is not there where it is not installed', async () => {
    expect(await createEspeakProvider(join(folder, 'missing'))).toBeNull();
  });

  it('speaks what the engine before it does not', async () => {
    const english: SpeechProvider = {
      async speak({ language }) {
        if (language !== 'en') throw new SpeechError('refused', 'no', { field: 'language' });
        return { audio: createTone(1), contentType: 'audio/wav', engine: 'english' };
      },
    };
    const embedded = createEmbeddedProvider([english, await espeak()]);
    expect((await embedded.speak({ ...SAY, language: 'en' })).engine).toBe('english');
    expect((await embedded.speak(SAY)).engine).toBe('espeak-ng');
    await expect(embedded.speak({ ...SAY, language: 'fr' })).rejects.toMatchObject({ field: 'language' });
    await expect(createEmbeddedProvider([]).speak(SAY)).rejects.toMatchObject({ code: 'failed' });
  });
});
