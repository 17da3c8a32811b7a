import { afterAll, beforeAll, expect, it } from 'vitest';
import { AttackGround } from './attack-ground.ts';
import { ATTACKS } from './attacks.ts';
import { findFaults } from './judge.ts';

// Each attack small, on a real stack in a process of its own, and no verdict about time: `npm run labs -- attack` has those.

const SEED = 1;
const ATTACK_MS = 20_000;
const NO_CALM = { calmPhases: 0, calmPhaseMs: 0 };

// Unfinished requests end soon here, so that slow peers are not waited for.
const ground = new AttackGround({
  visitors: 3,
  warmUpMs: 0,
  limits: { requestHeadersMs: 3_000, requestMs: 5_000 },
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
