/** Loaded before everything else in a process: its wall clock is as far off as the argument says. Timers are not. */
const { clockAheadMs }: { clockAheadMs?: number } = JSON.parse(process.argv[2] ?? '{}');
const aheadMs = clockAheadMs ?? 0;
const TrueDate = Date;

globalThis.Date = class extends TrueDate {
  constructor(...given: [] | [number | string | Date]) {
    super(given.length === 0 ? TrueDate.now() + aheadMs : given[0]);
  }

  static override now(): number {
    return TrueDate.now() + aheadMs;
  }
} as DateConstructor;
