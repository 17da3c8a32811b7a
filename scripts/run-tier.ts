// Runs the steps of one tier of tests, all of them also after a red one, and prints a table at the end: `checks` is
// `npm run check`, `fast` is `npm test`, `full` is `npm run test:full`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

interface Step {
  readonly name: string;
  /** A shell command that a developer can run alone. */
  readonly command: string;
}

interface Result extends Step {
  readonly seconds: number;
  readonly isGreen: boolean;
}

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
    stdio: 'inherit',
  });
  const [code] = await once(child, 'exit');
  return { ...step, seconds: (performance.now() - startedAt) / 1000, isGreen: code === 0 };
}

function describe({ name, command, seconds, isGreen }: Result): string {
  const result = isGreen ? 'passed' : 'FAILED';
  return `${result}  ${name.padEnd(12)} ${seconds.toFixed(0).padStart(5)} s  ${isGreen ? '' : command}`.trimEnd();
}

const [name = ''] = process.argv.slice(2);
const steps = TIERS[name];
if (!steps) {
  console.error(`There is no tier "${name}": name ${Object.keys(TIERS).join(' or ')}.`);
  process.exit(2);
}
const results: Result[] = [];
for (const step of steps) results.push(await run(step));
const failed = results.filter(({ isGreen }) => !isGreen).length;
console.log(`\n${results.map(describe).join('\n')}\n`);
console.log(`${results.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
