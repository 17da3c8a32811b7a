/** Loaded before everything else in a process: its wall clock is as far off as the variable says. Timers are not. */
const aheadMs = Number(process.env['SHIFT_CLOCK_BY_MS'] ?? 0);
const TrueDate = Date;
const now = (): number => TrueDate.now() + aheadMs;

globalThis.Date = new Proxy(TrueDate, {
  construct: (target, given) => Reflect.construct(target, given.length === 0 ? [now()] : given),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});
