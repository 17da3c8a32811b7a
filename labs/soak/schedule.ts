import type { LinkConditions, LinkDirection, LinkDirections } from '../../demo/link/flaky-link.ts';
import { createDice, type Dice } from './dice.ts';

/** The parts that a schedule disturbs. `calm` disturbs nothing; `mixed` draws from all the others. */
export const FAULT_KINDS = [
  'calm',
  'drop',
  'outage',
  'refuse',
  'half-open',
  'delay',
  'throttle',
  'cut',
  'duplicate',
  'reorder',
  'offline',
  'reload',
  'tabs',
  'freeze',
  'kill',
  'crash',
  'shutdown',
  'mixed',
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

/** Where the platform kills itself with SIGKILL. */
export type CrashPoint = 'before-commit' | 'after-commit' | 'mid-stream' | 'mid-replay';

/** One thing that happens, `atMs` milliseconds of the client's time after the start. */
export type Step = { readonly atMs: number } & (
  | { readonly do: 'send'; readonly tab: number; readonly text: string }
  | { readonly do: 'type'; readonly tab: number }
  | { readonly do: 'link'; readonly change: Partial<LinkConditions> }
  | { readonly do: 'drop' }
  | { readonly do: 'deafen'; readonly directions: LinkDirections }
  | { readonly do: 'cut'; readonly direction: LinkDirection }
  | { readonly do: 'duplicate'; readonly count: number }
  | { readonly do: 'swap'; readonly count: number }
  | { readonly do: 'offline' }
  | { readonly do: 'online' }
  | { readonly do: 'reload'; readonly tab: number }
  | { readonly do: 'freeze'; readonly tab: number }
  | { readonly do: 'thaw'; readonly tab: number }
  | { readonly do: 'open tab'; readonly tab: number }
  | { readonly do: 'kill' }
  | { readonly do: 'crash'; readonly at: CrashPoint }
  | { readonly do: 'shutdown' }
);

/** Everything that will happen, decided before it begins. Times are the client's. */
export interface Schedule {
  readonly seed: number;
  readonly kind: FaultKind;
  readonly tabs: number;
  readonly durationMs: number;
  /** In order of time. */
  readonly steps: readonly Step[];
}

/** Source of the 20 s: the figure the project publishes is the time to recover after an outage of that length. */
const OUTAGE_MS = 20_000;
const KBIT_50 = 6_250;
const WORDS = ['ferry', 'harbour', 'ticket', 'dog', 'car', 'sauna', 'delay', 'fog', 'cabin', 'Ålesund'];

type Build = (dice: Dice, atMs: number, tabs: number) => readonly Step[];

const during = (
  atMs: number,
  lengthMs: number,
  change: Partial<LinkConditions>,
  back: Partial<LinkConditions>,
): Step[] => [
  { atMs, do: 'link', change },
  { atMs: atMs + lengthMs, do: 'link', change: back },
];

const outage = (atMs: number, lengthMs: number): Step[] => [
  ...during(atMs, lengthMs, { isRefusing: true }, { isRefusing: false }),
  { atMs: atMs + 1, do: 'drop' },
];

/** One occurrence of each fault, beginning at `atMs`. */
const FAULTS: Readonly<Record<Exclude<FaultKind, 'calm' | 'mixed'>, Build>> = {
  drop: (_dice, atMs) => [{ atMs, do: 'drop' }],
  outage: (_dice, atMs) => outage(atMs, OUTAGE_MS),
  refuse: (dice, atMs) => outage(atMs, dice.between(500, 9_000)),
  'half-open': (dice, atMs) => {
    const directions = dice.pick<LinkDirections>(['toServer', 'toClient', 'both']);
    return dice.chance(0.5)
      ? [{ atMs, do: 'deafen', directions }]
      : during(atMs, dice.between(2_000, 60_000), { stalled: directions }, { stalled: 'none' });
  },
  delay: (dice, atMs) =>
    during(atMs, dice.between(3_000, 20_000), { delayMs: dice.between(100, 6_000) }, { delayMs: 0 }),
  throttle: (dice, atMs) =>
    during(atMs, dice.between(5_000, 20_000), { bytesPerSecond: KBIT_50 }, { bytesPerSecond: null }),
  cut: (dice, atMs) => [{ atMs, do: 'cut', direction: dice.pick(['toServer', 'toClient']) }],
  duplicate: (dice, atMs) => [{ atMs, do: 'duplicate', count: dice.between(1, 12) }],
  reorder: (dice, atMs) => [{ atMs, do: 'swap', count: dice.between(1, 6) }],
  offline: (dice, atMs) => [
    { atMs, do: 'offline' },
    { atMs: atMs + dice.between(500, 25_000), do: 'online' },
  ],
  reload: (dice, atMs, tabs) => [{ atMs, do: 'reload', tab: dice.between(0, tabs - 1) }],
  // The tabs themselves are the disturbance; a drop makes all of them come back at once.
  tabs: (_dice, atMs) => [{ atMs, do: 'drop' }],
  freeze: (dice, atMs, tabs) => {
    const tab = dice.between(0, tabs - 1);
    return [
      { atMs, do: 'freeze', tab },
      { atMs: atMs + dice.between(500, 30_000), do: 'thaw', tab },
    ];
  },
  kill: (_dice, atMs) => [{ atMs, do: 'kill' }],
  crash: (dice, atMs) => [
    { atMs, do: 'crash', at: dice.pick(['before-commit', 'after-commit', 'mid-stream', 'mid-replay']) },
    // Something has to be read again for the crash in the middle of a replay.
    { atMs: atMs + 400, do: 'drop' },
  ],
  shutdown: (_dice, atMs) => [{ atMs, do: 'shutdown' }],
};

const MIXABLE = Object.keys(FAULTS) as readonly (keyof typeof FAULTS)[];

/** This many seeds in a row have every kind of fault; a third of them mixes, because faults hurt most in company. */
export const SEEDS_PER_ROUND = 25;

const kindOf = (seed: number): FaultKind => FAULT_KINDS[seed % SEEDS_PER_ROUND] ?? 'mixed';

function buildFaults(dice: Dice, kind: FaultKind, tabs: number, durationMs: number): readonly Step[] {
  if (kind === 'calm') return [];
  const count = kind === 'mixed' ? dice.between(3, 7) : dice.between(1, 3);
  return Array.from({ length: count }).flatMap(() => {
    const fault = kind === 'mixed' ? dice.pick(MIXABLE) : kind;
    return FAULTS[fault](dice, dice.between(200, durationMs), tabs);
  });
}

function buildMessages(dice: Dice, seed: number, tabs: number, durationMs: number): readonly Step[] {
  const count = dice.between(4, 14);
  const texts: string[] = [];
  const messages = Array.from({ length: count }, (_, index): Step => {
    // The same words twice are two messages: matching by text would make one of them.
    const isSaidAgain = texts.length > 0 && dice.chance(0.15);
    const words = Array.from({ length: dice.between(1, 5) }, () => dice.pick(WORDS)).join(' ');
    const text = isSaidAgain ? dice.pick(texts) : `${seed}.${index} ${words}`;
    texts.push(text);
    return { atMs: dice.between(0, durationMs), do: 'send', tab: dice.between(0, tabs - 1), text };
  });
  if (!dice.chance(0.2)) return messages;
  // More at once than the platform's rate limit allows.
  const atMs = dice.between(0, durationMs);
  const burst = Array.from(
    { length: 24 },
    (_, index): Step => ({ atMs, do: 'send', tab: 0, text: `${seed}.b${index}` }),
  );
  return [...messages, ...burst];
}

/** Overrides of a seed's choices. */
export interface ScheduleOptions {
  readonly kind?: FaultKind | undefined;
  /** Always more than one tab. */
  readonly hasSeveralTabs?: boolean;
}

/** Returns the schedule of a seed; always the same with the same options. */
export function buildSchedule(seed: number, options: ScheduleOptions = {}): Schedule {
  const { kind, hasSeveralTabs = false } = options;
  const dice = createDice(seed);
  const chosen = kind ?? kindOf(seed);
  const tabs =
    chosen === 'tabs' || chosen === 'freeze'
      ? dice.between(2, 5)
      : dice.chance(0.35) || hasSeveralTabs
        ? dice.between(2, 3)
        : 1;
  const durationMs = dice.between(8_000, 40_000);
  const openings = Array.from({ length: tabs - 1 }, (_, index): Step => {
    return { atMs: dice.between(500, Math.floor(durationMs / 2)), do: 'open tab', tab: index + 1 };
  });
  const typing = Array.from({ length: dice.between(0, 4) }, (): Step => {
    return { atMs: dice.between(0, durationMs), do: 'type', tab: dice.between(0, tabs - 1) };
  });
  const steps = [
    ...openings,
    ...typing,
    ...buildMessages(dice, seed, tabs, durationMs),
    ...buildFaults(dice, chosen, tabs, durationMs),
  ].sort((a, b) => a.atMs - b.atMs);
  const lastMs = steps.at(-1)?.atMs ?? 0;
  return { seed, kind: chosen, tabs, durationMs: Math.max(durationMs, lastMs), steps };
}
