/** Work in the background: repeated tasks, and items with their own errors and their own next attempt. */
export { RetryLater } from './retry-later.ts';
export { type Scheduled, type ScheduledTask, Scheduler } from './scheduler.ts';
export { sweepItems } from './sweep-items.ts';
