import type { Attack } from './attack.ts';
import type { Talk } from './honest/honest-visitors.ts';
import type { Vitals } from './stack/stack-messages.ts';

/** Everything that one attack showed. */
export interface Observation {
  readonly attack: Attack;
  /** The quiet phases before it; none in the short form, which measures no time. */
  readonly calm: readonly Talk[];
  /** While the attack ran. */
  readonly attacked: Talk;
  /** The failure of a visitor who arrived during the attack; null without one. */
  readonly newcomer: string | null;
  readonly before: Vitals;
  /** After the stack had time to settle; null: it did not answer. */
  readonly after: Vitals | null;
  /** Outcomes of the hostile peers, with their counts. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Why the attack was not run to its end; null: it was. */
  readonly failure: string | null;
  /** Why the stack's process ended; null: it runs. */
  readonly death: string | null;
  /** Errors that the stack logged meanwhile. */
  readonly errors: readonly string[];
}
