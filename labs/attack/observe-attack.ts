import { PATIENCE } from '../../e2e/patience.ts';
import type { Attack } from './attack.ts';
import type { Attackers } from './attackers/attackers.ts';
import type { HonestVisitors, Talk } from './honest/honest-visitors.ts';
import { tryNewcomer } from './honest/newcomer.ts';
import { isSettled } from './judge.ts';
import type { Observation } from './observation.ts';
import type { Stack } from './stack/stack.ts';
import type { Vitals } from './stack/stack-messages.ts';

/** One attack on a running stack. */
export interface AttackRun {
  readonly attack: Attack;
  readonly stack: Stack;
  readonly attackers: Attackers;
  readonly honest: HonestVisitors;
  readonly seed: number;
  readonly isSmall: boolean;
  /** How long the attack lasts, at most. */
  readonly attackMs: number;
  /** How often, and how long, the honest visitors talk alone before it. */
  readonly calmPhases: number;
  readonly calmPhaseMs: number;
}

const SETTLE_PATIENCE_MS = 10_000 * PATIENCE;
const SETTLE_EVERY_MS = 250;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Runs an attack while the honest visitors talk, and looks at the stack before and afterwards. */
export async function observeAttack(run: AttackRun): Promise<Observation> {
  const { attack, stack, attackers, honest, seed, isSmall, attackMs } = run;
  const { info } = stack;
  const before = await stack.measure();
  if (before === null) throw new Error(`The stack does not answer before "${attack.name}".`);
  const knownErrors = stack.errors.length;
  const calm: Talk[] = [];
  while (calm.length < run.calmPhases) calm.push(await talkFor(honest, run.calmPhaseMs));
  let isOver = false;
  const talking = honest.talk(() => isOver);
  const attacking = attackers.run({
    attack: attack.name,
    stack: info,
    seed,
    isSmall,
    milliseconds: attackMs,
  });
  const coming = tryNewcomer(info, seed);
  const { outcomes, failure } = await attacking;
  isOver = true;
  const [attacked, newcomer] = await Promise.all([talking, coming]);
  const after = await settle(stack, before);
  const errors = stack.errors.slice(knownErrors);
  const { death } = stack;
  return { attack, calm, attacked, newcomer, before, after, outcomes, failure, death, errors };
}

async function talkFor(honest: HonestVisitors, milliseconds: number): Promise<Talk> {
  const endsAt = performance.now() + milliseconds;
  return await honest.talk(() => performance.now() >= endsAt);
}

/** Looks at the stack until it is where it was, or the time has passed; resolves with the last look. */
async function settle(stack: Stack, before: Vitals): Promise<Vitals | null> {
  const endsAt = performance.now() + SETTLE_PATIENCE_MS;
  for (;;) {
    const after = await stack.measure();
    const isDone = after === null || isSettled(before, after) || performance.now() > endsAt;
    if (isDone || stack.death !== null) return after;
    await pause(SETTLE_EVERY_MS);
  }
}
