// Runs the steps of one tier of tests, all of them also after a red one, and prints a table at the end: `checks` is
// `npm run check`, `fast` is `npm test`, `full` is `npm run test:full`. Of a log often the end alone is kept: there, the
// last lines of red steps come once more, and the table names the tests that failed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';

interface Step {
  readonly name: string;
  /** A shell command that a developer can run alone. */
  readonly command: string;
}

interface Result extends Step {
  readonly seconds: number;
  readonly isGreen: boolean;
  /** Output of the step; empty if it wrote to a terminal itself. */
  readonly lines: readonly string[];
}

const REPEATED_LINES = 80;
const NAMED_TESTS = 20;

// The quickest to turn red comes first.
const CHECKS: readonly Step[] = [
  { name: 'format, lint', command: 'npx biome ci --error-on-warnings .' },
  { name: 'types', command: 'npx tsc -b' },
  { name: 'dead code', command: 'npx knip' },
  { name: 'contract', command: 'node scripts/contract-coverage/check.ts' },
  { name: 'manifest', command: 'npm run generate -- manifest --check' },
  { name: 'settings', command: 'npm run generate -- configuration --check' },
  { name: 'packages', command: 'node scripts/check-packages.ts' },
];

const TIERS: Readonly<Record<string, readonly Step[]>> = {
  checks: CHECKS,
  fast: [
    ...CHECKS,
    { name: 'units', command: 'npm run test:unit -- --project node --project browser' },
    { name: 'sizes', command: 'npm run size' },
    { name: 'smoke', command: 'npx playwright test --project smoke' },
  ],
  full: [
    { name: 'units', command: 'npm run test:unit -- --project full --project postgres' },
    { name: 'end to end', command: 'npx playwright test --project full' },
    { name: 'browsers', command: 'npm run labs -- browsers' },
  ],
};

async function run(step: Step): Promise<Result> {
  console.log(`\n▶ ${step.name}: ${step.command}`);
  const startedAt = performance.now();
  const child = spawn(step.command, {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    // npm and npx are scripts of the shell on Windows.
    shell: true,
    // A terminal is left to the step, with its colours and its progress.
    stdio: process.stdout.isTTY ? 'inherit' : ['inherit', 'pipe', 'pipe'],
  });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stdout?.pipe(process.stdout, { end: false });
  child.stderr?.pipe(process.stderr, { end: false });
  const closed = once(child, 'close');
  const [code] = await once(child, 'exit');
  // A process that the step left behind can keep its output open indefinitely.
  await Promise.race([closed, delay(2000)]);
  child.stdout?.destroy();
  child.stderr?.destroy();
  return {
    ...step,
    seconds: (performance.now() - startedAt) / 1000,
    isGreen: code === 0,
    lines: Buffer.concat(chunks).toString().trimEnd().split('\n'),
  };
}

function describe({ name, command, seconds, isGreen, lines }: Result): string {
  const row = `${isGreen ? 'passed' : 'FAILED'}  ${name.padEnd(12)} ${seconds.toFixed(0).padStart(5)} s`;
  if (isGreen) return row;
  // As Vitest and Playwright mark them.
  const tests = lines
    .map((line) => stripVTControlCharacters(line).trim().replaceAll(/\s+/g, ' '))
    .filter((line) => /^(FAIL|✘)\s/.test(line));
  return [`${row}  ${command}`, ...tests.slice(0, NAMED_TESTS).map((test) => `          ${test}`)].join('\n');
}

const [name = ''] = process.argv.slice(2);
const steps = TIERS[name];
if (!steps) {
  console.error(`There is no tier "${name}": name ${Object.keys(TIERS).join(' or ')}.`);
  process.exit(2);
}
const results: Result[] = [];
for (const step of steps) results.push(await run(step));
const failed = results.filter(({ isGreen }) => !isGreen);
for (const { name, lines } of failed) {
  if (!process.stdout.isTTY) console.log(`\n▶ ${name} failed:\n${lines.slice(-REPEATED_LINES).join('\n')}`);
}
console.log(`\n${results.map(describe).join('\n')}\n`);
console.log(`${results.length - failed.length} passed, ${failed.length} failed`);
process.exitCode = failed.length === 0 ? 0 : 1;
