import type { Attack } from './attack.ts';
import { AttackGround } from './attack-ground.ts';
import type { Talk } from './honest/honest-visitors.ts';
import { findFaults, findTimeFaults } from './judge.ts';
import type { Observation } from './observation.ts';

/** A whole run in the full form. */
export interface AttacksOptions {
  readonly attacks: readonly Attack[];
  readonly seed: number;
  /** Default duration of an attack. */
  readonly seconds: number;
  readonly onResult: (result: AttackResult) => void;
}

/** An observation with its verdict; no observation: there was no time left. */
export interface AttackResult {
  readonly attack: Attack;
  readonly observation: Observation | null;
  /** Empty: the stack withstood. */
  readonly faults: readonly string[];
}

const VISITORS = 16;
const CALM_PHASE_MS = 2_500;
// Before the first attack. The median of them is decided by no single pause of the machine.
const FIRST_CALM_PHASES = 4;
const WARM_UP_MS = 10_000;
// The run ends automatically within twenty minutes; an attack that does not fit any more counts as failed.
const RUN_MS = 1_200_000;
const SETTLE_RESERVE_MS = 5_000;

/** Runs the attacks one after the other, each on a stack that is alive. */
export async function runAttacks(options: AttacksOptions): Promise<readonly AttackResult[]> {
  const { attacks, seed, seconds, onResult } = options;
  const startedAt = performance.now();
  const ground = new AttackGround({ visitors: VISITORS, warmUpMs: WARM_UP_MS });
  const results: AttackResult[] = [];
  // Of the whole run so far: a stack that an attack leaves slow is not measured against itself.
  const calm: Talk[] = [];
  const finish = (result: AttackResult): void => {
    results.push(result);
    onResult(result);
  };
  try {
    for (const [index, attack] of attacks.entries()) {
      await ground.prepare();
      const attackMs = (attack.seconds ?? seconds) * 1_000;
      const leftMs = RUN_MS - (performance.now() - startedAt);
      if (leftMs < attackMs + CALM_PHASE_MS + SETTLE_RESERVE_MS) {
        finish({ attack, observation: null, faults: ['not run: the time of the whole run is over'] });
        continue;
      }
      const calmPhases = index === 0 ? FIRST_CALM_PHASES : 1;
      const amounts = { attackMs, calmPhases, calmPhaseMs: CALM_PHASE_MS };
      const observed = await ground.observe({ attack, seed: seed + index, isSmall: false, ...amounts });
      calm.push(...observed.calm);
      const observation = { ...observed, calm: [...calm] };
      const faults = [...findFaults(observation), ...findTimeFaults(observation)];
      finish({ attack, observation, faults });
    }
  } finally {
    await ground.stop();
  }
  return results;
}
