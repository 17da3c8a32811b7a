import type { MessagingLimits } from '@natter/platform';
import { type Attackers, createAttackers } from './attackers/attackers.ts';
import { type HonestVisitors, startHonestVisitors } from './honest/honest-visitors.ts';
import type { Observation } from './observation.ts';
import { type AttackRun, observeAttack } from './observe-attack.ts';
import { type Stack, startStack } from './stack/stack.ts';

/** State shared by the attacks of one run. */
export interface GroundOptions {
  readonly visitors: number;
  /** How long the visitors talk before the first measurement, so that the stack's code is compiled. */
  readonly warmUpMs: number;
  readonly limits?: Partial<MessagingLimits>;
}

interface Running {
  readonly stack: Stack;
  readonly honest: HonestVisitors;
}

// All honest visitors come from one address, the token proxy's, which peers use too: it waits when the platform refuses
// it (HTTP-9), and they with it. Idle connections end after four seconds, so a socket that
// is still open ten seconds after an attack is a leak.
const LIMITS: Partial<MessagingLimits> = {
  sessionsPerMinute: 80,
  accessTokensPerMinute: 120,
  keepAliveMs: 4_000,
};

/** A stack with honest visitors and attackers, for one attack after the other. A stack that died is replaced. */
export class AttackGround {
  readonly #options: GroundOptions;
  readonly #attackers: Attackers = createAttackers();
  #running: Running | null = null;

  constructor(options: GroundOptions) {
    this.#options = options;
  }

  /** Starts stack, visitors and attackers unless they are there. Rejects when they cannot be started. */
  async prepare(): Promise<void> {
    await this.#attackers.prepare();
    this.#running ??= await this.#start();
  }

  async observe(run: Omit<AttackRun, 'stack' | 'attackers' | 'honest'>): Promise<Observation> {
    await this.prepare();
    if (this.#running === null) throw new Error('The stack was stopped.');
    const observation = await observeAttack({ ...run, ...this.#running, attackers: this.#attackers });
    if (isUnusable(observation)) await this.#leave();
    return observation;
  }

  async stop(): Promise<void> {
    this.#attackers.stop();
    await this.#leave();
  }

  async #start(): Promise<Running> {
    const { visitors, warmUpMs, limits } = this.#options;
    const stack = await startStack({ ...LIMITS, ...limits });
    try {
      const honest = await startHonestVisitors(stack.info, visitors);
      const endsAt = performance.now() + warmUpMs;
      await honest.talk(() => performance.now() >= endsAt);
      return { stack, honest };
    } catch (error) {
      await stack.stop();
      throw error;
    }
  }

  async #leave(): Promise<void> {
    const running = this.#running;
    this.#running = null;
    running?.honest.stop();
    await running?.stack.stop();
  }
}

/** The next attack needs a stack that answers and visitors who are in. */
function isUnusable({ death, after, attacked }: Observation): boolean {
  return death !== null || after === null || attacked.unanswered > 0 || attacked.lostSessions > 0;
}
