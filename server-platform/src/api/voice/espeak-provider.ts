import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { isNumberBetween, readConfig, SpeechError, type SpeechProvider } from './speech-provider.ts';
import { toSpeech } from './to-speech.ts';
import { createWorkLimit } from './work-limit.ts';

const execute = promisify(execFile);

const AT_ONCE = 2;
const WAITING = 20;
// A thousand characters at the slowest pace are a few minutes.
const MAX_BYTES = 64 * 1_048_576;
const WORDS_PER_MINUTE = 175;

/**
 * Speech from the system's `espeak-ng` program, which the operator installs (it is GPL and does not come with the
 * platform). Many languages. `config` may hold `voice` (a name that espeak-ng knows) and `speed` (0.5 to 2).
 *
 * Null when there is no such program.
 */
export async function createEspeakProvider(program = 'espeak-ng'): Promise<SpeechProvider | null> {
  const languages = await listLanguages(program);
  if (languages === null) return null;
  const limit = createWorkLimit(AT_ONCE, WAITING);
  return {
    async speak({ text, language, config, signal }) {
      const known = [language.toLowerCase(), language.toLowerCase().split('-')[0] ?? ''].find((tag) =>
        languages.has(tag),
      );
      if (known === undefined)
        throw new SpeechError('refused', 'is not spoken by this provider', { field: 'language' });
      const voice = readConfig(config, 'voice', isVoiceName, 'the name of a voice') ?? known;
      const speed = readConfig(config, 'speed', isNumberBetween(0.5, 2), 'a number between 0.5 and 2') ?? 1;
      const pace = String(Math.round(WORDS_PER_MINUTE * speed));
      return await limit.run(signal, async () => {
        const stdout = await speak(
          program,
          ['--stdin', '--stdout', '-b', '1', '-s', pace, '-v', voice],
          text,
          signal,
        );
        return toSpeech(stdout, 'espeak-ng');
      });
    },
  };
}

const isVoiceName = (value: unknown): value is string =>
  typeof value === 'string' && /^[A-Za-z][A-Za-z0-9+_-]{0,63}$/.test(value);

async function speak(
  program: string,
  args: readonly string[],
  text: string,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  try {
    const running = execute(program, args, { encoding: 'buffer', maxBuffer: MAX_BYTES, signal });
    // A program that ends before it has read everything says so with its exit code.
    running.child.stdin?.on('error', () => {});
    running.child.stdin?.end(text);
    return new Uint8Array((await running).stdout);
  } catch (cause) {
    signal.throwIfAborted();
    throw new SpeechError('failed', 'espeak-ng failed.', { cause });
  }
}

/** The languages the program speaks, lower case; null when it cannot be run. */
async function listLanguages(program: string): Promise<ReadonlySet<string> | null> {
  try {
    const { stdout } = await execute(program, ['--voices'], { timeout: 10_000 });
    // Pty Language Age/Gender VoiceName File …
    const rows = stdout.split('\n').slice(1);
    return new Set(rows.flatMap((row) => row.trim().split(/\s+/)[1]?.toLowerCase() ?? []));
  } catch {
    return null;
  }
}
