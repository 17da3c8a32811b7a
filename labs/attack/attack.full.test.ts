import { afterAll, beforeAll, expect, it } from 'vitest';
import { PATIENCE } from '../../e2e/patience.ts';
import { AttackGround } from './attack-ground.ts';
import { ATTACKS } from './attacks.ts';
import { findFaults } from './judge.ts';

// Each attack small, on a real stack in a separate process, without a verdict about time: `npm run labs -- attack` has those.

const SEED = 1;
// The longest an attack may take. Most end much sooner.
const ATTACK_MS = 20_000 * PATIENCE;
const NO_CALM = { calmPhases: 0, calmPhaseMs: 0 };

// Unfinished requests end sooner than in the full form, so that slow peers are not waited for long.
const ground = new AttackGround({
  visitors: 3,
  warmUpMs: 0,
  limits: { requestHeadersMs: 3_000 * PATIENCE, requestMs: 5_000 * PATIENCE },
});

beforeAll(() => ground.prepare());

afterAll(() => ground.stop());

it.each(ATTACKS.map((attack, index) => ({ attack, index, name: attack.name })))(
  'withstands $name',
  async ({ attack, index }) => {
    const run = { attack, seed: SEED + index, isSmall: true, attackMs: ATTACK_MS, ...NO_CALM };
    const observation = await ground.observe(run);
    const got = `attackers got ${JSON.stringify(observation.outcomes)}`;
    expect(findFaults(observation).join('\n'), got).toBe('');
  },
);
