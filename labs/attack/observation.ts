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
  /** What a visitor who came during the attack met; null: nothing. */
  readonly newcomer: string | null;
  readonly before: Vitals;
  /** After the stack had time to settle; null: it did not answer. */
  readonly after: Vitals | null;
  /** What the hostile peers got, and how often. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Why the attack was not run to its end; null: it was. */
  readonly failure: string | null;
  /** Why the stack's process ended; null: it runs. */
  readonly death: string | null;
  /** What the stack logged as errors meanwhile. */
  readonly errors: readonly string[];
}
