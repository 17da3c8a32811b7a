/** Number of concurrent conversations. */
export { createConcurrencyFamily } from './concurrency-family.ts';
