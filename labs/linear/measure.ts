import { parseArgs } from 'node:util';
import { MARKDOWN_MARKERS } from './cases/markdown-cases.ts';
import type { LinearCase } from './linear-case.ts';
import { LINEAR_CASES } from './linear-cases.ts';

// `npm run labs -- linear`: what twice the input costs, by processor time. With `--once SIZE` every input is read once at
// that size, and its name is printed when it has been read: for the test, which a slow machine must not fail.

const SMALL = 32_768;
// As much as the longest message holds: twice the small input, and twice again.
const LARGE = 131_072;
// A reader that takes longer for less than the small input is measured there.
const TOO_LONG_MS = 200;
// Shorter times say more about the clock than about the reader.
const LONG_ENOUGH_MS = 6;
const ROUNDS = 5;
// The collector and the compiler run when they like, and only ever add to a time.
const ATTEMPTS = 4;
const MOST = 2.5;

async function timeMs(call: () => unknown, times = 1): Promise<number> {
  const before = process.cpuUsage();
  for (let round = 0; round < times; round += 1) await call();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

interface Measured {
  /** Of the larger of the two inputs. */
  readonly size: number;
  readonly ms: number;
  /** Cost of twice the input. */
  readonly ratio: number;
}

async function measureOnce({ prepare }: LinearCase): Promise<Measured> {
  let small = SMALL / 16;
  while (small < SMALL && (await timeMs(prepare(small))) < TOO_LONG_MS) small *= 2;
  // A tiny cost says nothing about its growth.
  while (small < LARGE * 4 && (await timeMs(prepare(small), 16)) < 8) small *= 2;
  const [little, much] = [prepare(small), prepare(small * (LARGE / SMALL))];
  let times = 1;
  while ((await timeMs(little, times)) < LONG_ENOUGH_MS) times *= 2;
  await timeMs(much, times);
  const found: (readonly [number, number])[] = [];
  while (found.length < ROUNDS) found.push([await timeMs(little, times), await timeMs(much, times)]);
  const [least, most] = [Math.min(...found.map(([a]) => a)), Math.min(...found.map(([, b]) => b))];
  return { size: small * (LARGE / SMALL), ms: most / times, ratio: Math.sqrt(most / least) };
}

async function measure(each: LinearCase): Promise<Measured> {
  let best = await measureOnce(each);
  for (let more = 1; more < ATTEMPTS && best.ratio > MOST; more += 1) {
    const next = await measureOnce(each);
    if (next.ratio < best.ratio) best = next;
  }
  return best;
}

const { once, only = '' } = parseArgs({
  options: { once: { type: 'string' }, only: { type: 'string' } },
}).values;
if (once !== undefined) {
  for (const { name, prepare } of LINEAR_CASES) {
    await prepare(Number(once))();
    console.log(name);
  }
} else {
  const cases = [...LINEAR_CASES, ...MARKDOWN_MARKERS].filter(({ name }) => name.includes(only));
  let worst = 0;
  for (const each of cases) {
    const { size, ms, ratio } = await measure(each);
    worst = Math.max(worst, ratio);
    console.log(
      `${ratio.toFixed(2).padStart(6)} ${ms.toFixed(2).padStart(8)} ms ${String(size).padStart(8)}  ${each.name}`,
    );
  }
  console.log(`Twice the input: at most ${worst.toFixed(2)} times the work; ${MOST} is the limit.`);
  if (worst > MOST) process.exitCode = 1;
}
