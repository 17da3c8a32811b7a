import { parseArgs } from 'node:util';
import { ATTACKS } from './attacks.ts';
import { formatResults } from './format-results.ts';
import { latenciesOf } from './judge.ts';
import { type AttackResult, runAttacks } from './run-attacks.ts';

const USAGE = `npm run labs -- attack [options]
  --only NAME    only this attack; may be given several times
  --seconds N    how long each attack lasts (default 10; those against time-outs last as long as they must)
  --seed N       decides all that is random about the attacks (default: the time)
  --json         print the results as JSON instead of the table
  --list         print the attacks and stop
Exit code 0: the stack withstood all of them; 1: it did not; 2: the run could not be made.
`;

const MAX_SECONDS = 60;

function readNumber(name: string, text: string, max: number): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1 || value > max)
    throw new Error(`--${name} must be a whole number from 1 to ${max}, not "${text}".`);
  return value;
}

function chooseAttacks(names: readonly string[] | undefined): typeof ATTACKS {
  const unknown = names?.find((name) => !ATTACKS.some((attack) => attack.name === name));
  if (unknown !== undefined)
    throw new Error(
      `There is no attack "${unknown}". There are: ${ATTACKS.map(({ name }) => name).join(', ')}.`,
    );
  return names === undefined ? ATTACKS : ATTACKS.filter(({ name }) => names.includes(name));
}

const toJson = ({ attack, observation, faults }: AttackResult): object => ({
  attack: attack.name,
  verdict: faults.length === 0 ? 'withstood' : 'failed',
  faults,
  ...(observation !== null && {
    ...latenciesOf(observation),
    samples: observation.attacked.answeredMs.length,
    before: observation.before,
    after: observation.after,
    outcomes: observation.outcomes,
  }),
});

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', multiple: true },
      seconds: { type: 'string', default: '10' },
      seed: { type: 'string', default: String(1 + (Date.now() % 1_000_000)) },
      json: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  if (values.list) {
    for (const { name, summary } of ATTACKS) process.stdout.write(`${name.padEnd(22)} ${summary}\n`);
    return 0;
  }
  const attacks = chooseAttacks(values.only);
  const seed = readNumber('seed', values.seed, 1_000_000_000);
  const seconds = readNumber('seconds', values.seconds, MAX_SECONDS);
  process.stderr.write(`${attacks.length} attacks from seed ${seed}\n`);
  const startedAt = performance.now();
  const results = await runAttacks({
    attacks,
    seed,
    seconds,
    onResult: ({ attack, faults }) =>
      process.stderr.write(`  ${attack.name}: ${faults.length === 0 ? 'withstood' : faults.join('; ')}\n`),
  });
  const tookS = ((performance.now() - startedAt) / 1_000).toFixed(0);
  process.stdout.write(
    values.json ? `${JSON.stringify(results.map(toJson), null, 2)}\n` : `${formatResults(results)}\n`,
  );
  process.stderr.write(`${attacks.length} attacks from seed ${seed} in ${tookS} s\n`);
  return results.every(({ faults }) => faults.length === 0) ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
