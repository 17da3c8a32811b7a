import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { INVARIANTS } from './invariants.ts';
import { formatReport } from './report.ts';
import type { ScheduleResult } from './run-schedule.ts';
import { runSoak } from './run-soak.ts';
import { FAULT_KINDS, type FaultKind } from './schedule.ts';

const USAGE = `npm run labs -- soak [options]
  --schedules N  how many schedules to run (default 200)
  --seed S       the first seed; schedule n has seed S + n (default: the time)
  --kind K       only this kind of fault: ${FAULT_KINDS.join(', ')}
  --lanes N      platforms side by side (default 4, in a browser 1)
  --speed N      how many times as fast as the machine's the client's clock runs at most (default 8, in a browser 5,
                 with several nodes 2: they wait for each other in real time)
  --browser      in Chromium instead of in Node
  --database-url U  platforms on this PostgreSQL server instead of embedded databases
  --nodes N      nodes of each platform, behind a load balancer that takes them in turn; needs --database-url
  --bus-url U    the bus between them: nats://… or postgres://… (default: the database)
  --trace        write the frames of every schedule to files, not only of those that failed
  --list         print the invariants and stop
`;

/** A run of hundreds takes minutes, so it reports its progress regularly. */
const PROGRESS_EVERY = 20;

const isKind = (kind: string): kind is FaultKind => FAULT_KINDS.some((each) => each === kind);

function readCount(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 0)
    throw new Error(`--${name} must be a whole number, not "${text}".`);
  return value;
}

async function describeFailure(result: ScheduleResult): Promise<string> {
  const folder = join(tmpdir(), 'natter-soak-failures');
  await mkdir(folder, { recursive: true });
  const files = result.traces.map((_, tab) => join(folder, `seed-${result.seed}-tab-${tab}.log`));
  await Promise.all(files.map((file, tab) => writeFile(file, (result.traces[tab] ?? []).join('\n'))));
  const lines = result.violations.slice(0, 8).map(({ invariant, detail }) => `    ${invariant}: ${detail}`);
  return [`  seed ${result.seed} (${result.kind})`, ...lines, ...files.map((file) => `    ${file}`)].join(
    '\n',
  );
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      schedules: { type: 'string', default: '200' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
      kind: { type: 'string' },
      lanes: { type: 'string' },
      speed: { type: 'string' },
      browser: { type: 'boolean', default: false },
      'database-url': { type: 'string' },
      nodes: { type: 'string', default: '1' },
      'bus-url': { type: 'string' },
      trace: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  if (values.list) {
    process.stdout.write(
      `${Object.entries(INVARIANTS)
        .map(([name, text]) => `${name}: ${text}`)
        .join('\n')}\n`,
    );
    return 0;
  }
  const { kind } = values;
  if (kind !== undefined && !isKind(kind))
    throw new Error(`There is no kind of fault called "${kind}".\n${USAGE}`);
  const seed = readCount('seed', values.seed);
  const nodes = readCount('nodes', values.nodes);
  if (nodes > 1 && values['database-url'] === undefined)
    throw new Error('--nodes needs --database-url: an embedded database has one node.');
  const defaultSpeed = nodes > 1 ? '2' : values.browser ? '5' : '8';
  const schedules = readCount('schedules', values.schedules);
  process.stdout.write(`${schedules} schedules from seed ${seed}\n`);
  const startedAt = performance.now();
  let finished = 0;
  const results = await runSoak({
    schedules,
    seed,
    ...(kind !== undefined && { kind }),
    ...(values['database-url'] !== undefined && { databaseUrl: values['database-url'] }),
    lanes: readCount('lanes', values.lanes ?? (values.browser ? '1' : '4')),
    speed: readCount('speed', values.speed ?? defaultSpeed),
    nodes,
    ...(values['bus-url'] !== undefined && { busUrl: values['bus-url'] }),
    isInBrowser: values.browser,
    onResult: async (result) => {
      if (values.trace || result.violations.length > 0)
        process.stdout.write(`${await describeFailure(result)}\n`);
      finished += 1;
      if (finished % PROGRESS_EVERY === 0 && finished < schedules)
        process.stdout.write(`  ${finished} of ${schedules}\n`);
    },
  });
  const tookS = ((performance.now() - startedAt) / 1000).toFixed(0);
  process.stdout.write(`${formatReport(results)}\n${schedules} schedules from seed ${seed} in ${tookS} s\n`);
  const failures = results.filter(({ violations }) => violations.length > 0);
  if (failures.length === 0) return 0;
  process.stdout.write(`Broken: seeds ${failures.map((result) => result.seed).join(', ')}\n`);
  return 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
