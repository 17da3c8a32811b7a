/** Work on many items, each with its own errors and its own next attempt. */
export { RetryLater } from './retry-later.ts';
export { sweepItems } from './sweep-items.ts';
