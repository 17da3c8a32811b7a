import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { buildEmbed } from '../build/build-embed.ts';
import { parseRecording } from './recording.ts';
import { startReplay } from './replay-server.ts';

const USAGE = `npm run labs -- replay FILE [options]

Serves a recorded conversation as token proxy and platform, with a page to open.

  --speed N       N times as fast; 0 without pauses. Default 1
  --until MS      stop at this time of the recording, in milliseconds
  --port N        default: a free one
`;

function fail(message: string): never {
  console.error(`${message}\n\n${USAGE}`);
  process.exit(2);
}

function readArguments(): {
  readonly file: string;
  readonly speed: number;
  readonly untilMs: number;
  readonly port: number;
} {
  const options = { speed: { type: 'string' }, until: { type: 'string' }, port: { type: 'string' } } as const;
  let parsed: ReturnType<typeof parseArgs<{ options: typeof options; allowPositionals: true }>>;
  try {
    parsed = parseArgs({ options, allowPositionals: true });
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error));
  }
  const { positionals, values } = parsed;
  const [file] = positionals;
  if (file === undefined || positionals.length > 1)
    fail('Name one file, such as e2e/recordings/survey.json.');
  const readNumber = (name: keyof typeof options, unnamed: number): number => {
    const text = values[name];
    if (text === undefined) return unnamed;
    if (!/^\d+(?:\.\d+)?$/.test(text)) fail(`--${name} has to be a number from 0, not "${text}".`);
    return Number(text);
  };
  const speed = readNumber('speed', 1);
  return {
    file,
    speed: speed === 0 ? Number.POSITIVE_INFINITY : speed,
    untilMs: readNumber('until', Number.POSITIVE_INFINITY),
    port: readNumber('port', 0),
  };
}

const { file, ...options } = readArguments();
try {
  const recording = parseRecording(readFileSync(file, 'utf8'));
  const replay = await startReplay(recording, { ...options, embedDir: buildEmbed() });
  console.log(`page: ${replay.url}/`);
  console.log(`endpoint: ${replay.url}`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void replay.close().then(() => process.exit(0)));
} catch (error) {
  fail(error instanceof Error ? error.message : String(error));
}
