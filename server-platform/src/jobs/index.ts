/** Background work: periodic tasks, and items that are retried individually. */
export { RetryLater } from './retry-later.ts';
export { type Scheduled, type ScheduledTask, Scheduler } from './scheduler.ts';
export { sweepItems } from './sweep-items.ts';
