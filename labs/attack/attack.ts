import type { Dice } from '../soak/dice.ts';

/** Where the stack listens, and the credentials that it was started with. */
export interface StackInfo {
  readonly platformPort: number;
  readonly proxyPort: number;
  /** Tokens of two connectors for `host`: of the honest visitors' project, and of the attackers'. */
  readonly honestToken: string;
  readonly attackerToken: string;
  /** Both connectors' registered host. */
  readonly host: string;
  /** Account and projects by slug. */
  readonly account: string;
  readonly honestProject: string;
  readonly attackerProject: string;
  /** API keys. The attackers have their own project's keys; `honestKey` reads the honest project's conversations. */
  readonly honestKey: string;
  readonly eventsKey: string;
  readonly chatKey: string;
  readonly monitoringKey: string;
  /** A project whose turns are translated, with a connector and a key for its chat over REST. */
  readonly translatedProject: string;
  readonly translatedToken: string;
  readonly translatedKey: string;
  /** A project of another account, and that account's key for voice. */
  readonly otherProject: string;
  readonly otherMonitoringKey: string;
  /** Port of the server that translates and speaks, see `far-end.ts`. */
  readonly farEndPort: number;
  /** Sign-in of a person at the account's desk, which the attackers have. */
  readonly deskEmail: string;
  readonly deskPassword: string;
  /** Folder of the embedded database, with the admin socket. */
  readonly dataDir: string;
  /** Where the token proxy's hook stores uploads. */
  readonly filesDir: string;
}

/** Which server of the stack is attacked. */
export type Target = 'platform' | 'proxy';

/** Number of repetitions in the quick and in the full suite. */
export interface Amount {
  /** In `npm test`, where each attack takes about a second. */
  readonly small: number;
  /** In `npm run labs -- attack`, where the time limit usually comes first. */
  readonly full: number;
}

/** Context of an attack, provided by the attackers' process. */
export interface AttackContext {
  readonly stack: StackInfo;
  readonly dice: Dice;
  readonly isSmall: boolean;
  /** Aborts when the attack's time is over. */
  readonly signal: AbortSignal;
  pick(amount: Amount): number;
  /** An address of the attackers' network; another one with every call. */
  nextAddress(): string;
  /** Counts an outcome for the attackers: `HTTP 400`, `close 1008`, `dropped`, or a term of the attack. */
  count(outcome: string, times?: number): void;
  /** Calls `work` up to `times` times, `lanes` at a time, until the attack's time is over. */
  repeat(lanes: number, times: Amount, work: (index: number) => Promise<void>): Promise<void>;
  /** Resolves after `delayMs`, or when the attack's time is over. */
  pause(delayMs: number): Promise<void>;
}

/** One kind of hostile peer. */
export interface Attack {
  readonly name: string;
  /** Description of the peers' actions, for the README and the table. */
  readonly summary: string;
  /** Time in the full form, in seconds, where the attack has to outlast a time-out of the stack. */
  readonly seconds?: number;
  /** Outcomes that the peers may get; any other one is a fault. */
  readonly allowed: readonly (string | RegExp)[];
  /** Outcomes that must be among those the peers got. */
  readonly required: readonly string[];
  run(context: AttackContext): Promise<void>;
}
