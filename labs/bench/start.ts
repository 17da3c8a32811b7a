import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';

// What a start of the bundled platform takes before the first visitor comes: resident memory and processor time, as ratios
// to a bare HTTP server of Node in the same run, with PostgreSQL and with the embedded database on a new folder and on an
// existing one. Processor time, because other work on the machine changes the clock's and hardly that. Linux only (/proc).
const USAGE = `npm run labs -- bench start [options]

  --runs N   starts of each; the median counts; default 3
  --idle MS  wait after the start before the memory is read; default 5000`;

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '3' },
    idle: { type: 'string', default: '5000' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(USAGE);
  process.exit();
}
if (!existsSync('/proc/self/status')) {
  console.log('start needs /proc, skipped');
  process.exit();
}
const RUNS = Number(values.runs);
const IDLE_MS = Number(values.idle);
const POSTGRES = process.env['DATABASE_URL_TEST'] ?? 'postgres://root@127.0.0.1:5432/test';
const PROGRAM = fileURLToPath(new URL('../../server-platform/dist/program/cli.js', import.meta.url));
if (!existsSync(PROGRAM)) throw new Error('The servers are not bundled. Run: npm run build -- servers');

const BARE = `require('node:http').createServer((_, answer) => answer.end('ok'))
  .listen(0, () => console.log('Serving on'));
  process.on('SIGTERM', () => process.exit());`;

interface Figures {
  readonly processorMs: number;
  readonly startMb: number;
  readonly idleMb: number;
  readonly peakMb: number;
}

const TICKS_A_SECOND = 100;
const KILOBYTES = 1024;

function readProcess(
  pid: number,
): Pick<Figures, 'processorMs'> & { readonly nowMb: number; readonly peakMb: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const field = (name: string): number =>
    Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / KILOBYTES;
  // The name of the program is in brackets and may hold blanks; what follows has fixed places.
  const ticks = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
    .slice(11, 13);
  return {
    processorMs: ((Number(ticks[0]) + Number(ticks[1])) / TICKS_A_SECOND) * 1000,
    nowMb: field('VmRSS'),
    peakMb: field('VmHWM'),
  };
}

async function serves({ stdout }: ChildProcess): Promise<void> {
  let output = '';
  await new Promise<void>((resolve, reject) => {
    // Keeps reading after the start: a process that writes to a closed pipe fails.
    stdout?.on('data', (data) => {
      output += String(data);
      if (output.includes('Serving on')) resolve();
    });
    stdout?.on('end', () => reject(new Error(`It did not start:\n${output}`)));
  });
}

async function measure(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Figures> {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, DATABASE_URL: '', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  try {
    const pid = child.pid ?? 0;
    await serves(child);
    const started = readProcess(pid);
    await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
    const idle = readProcess(pid);
    return {
      processorMs: started.processorMs,
      startMb: started.nowMb,
      idleMb: idle.nowMb,
      peakMb: idle.peakMb,
    };
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}

async function medians(run: () => Promise<Figures>): Promise<Figures> {
  const figures: Figures[] = [];
  for (let each = 0; each < RUNS; each += 1) figures.push(await run());
  const median = (key: keyof Figures): number =>
    figures.map((one) => one[key]).sort((one, other) => one - other)[Math.floor(RUNS / 2)] ?? Number.NaN;
  return {
    processorMs: median('processorMs'),
    startMb: median('startMb'),
    idleMb: median('idleMb'),
    peakMb: median('peakMb'),
  };
}

function print(name: string, figures: Figures, bare: Figures): void {
  const times = (key: keyof Figures): string => `${(figures[key] / bare[key]).toFixed(1)}x`;
  console.log(
    `${name.padEnd(22)} idle ${figures.idleMb.toFixed(0)} MB ${times('idleMb')}, peak ${figures.peakMb.toFixed(0)} MB ` +
      `${times('peakMb')}, start ${figures.processorMs.toFixed(0)} ms of processor time ${times('processorMs')}`,
  );
}

const serve = (folder: string): readonly string[] => [PROGRAM, 'serve', '--port', '0', '--data', folder];
const inFolder = async <T>(run: (folder: string) => Promise<T>): Promise<T> => {
  const folder = mkdtempSync(join(tmpdir(), 'natter-start-'));
  try {
    return await run(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const bare = await medians(() => measure(['-e', BARE]));
print('bare server of Node', bare, bare);
const client = new pg.Client(POSTGRES);
const isReachable = await client.connect().then(
  () => true,
  () => false,
);
if (!isReachable) console.log('postgres not reachable, skipped (set DATABASE_URL_TEST)');
else {
  const schema = `bench_start_${process.pid}`;
  await client.query(`CREATE SCHEMA ${schema}`);
  const url = new URL(POSTGRES);
  url.searchParams.set('options', `-c search_path=${schema}`);
  const env = {
    DATABASE_URL: url.href,
    NATTER_TOKEN_SECRET: 'of this measurement alone, which lasts a minute',
  };
  try {
    await inFolder(async (folder) => {
      // The first start makes the tables.
      await measure(serve(folder), env);
      print('platform, postgres', await medians(() => measure(serve(folder), env)), bare);
    });
  } finally {
    await client.query(`DROP SCHEMA ${schema} CASCADE`);
    await client.end();
  }
}
print('platform, pglite, first', await medians(() => inFolder((folder) => measure(serve(folder)))), bare);
await inFolder(async (folder) => {
  await measure(serve(folder));
  print('platform, pglite', await medians(() => measure(serve(folder))), bare);
});
