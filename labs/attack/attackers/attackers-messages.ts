import type { ContextOptions } from './create-context.ts';

/** To the process of the attackers: one attack at a time. */
export interface AttackersRequest extends ContextOptions {
  readonly attack: string;
}

/** From the process of the attackers, once it has loaded its attacks. */
export const ATTACKERS_READY = 'ready';

/** From the process of the attackers, when the attack is over. */
export interface AttackersReport {
  /** Outcomes of the peers, with their counts. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Why the attack could not be run to its end; null: it was. */
  readonly failure: string | null;
}
