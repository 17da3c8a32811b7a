/** Number of concurrent conversations. */
export { createConcurrencyFamily, readConcurrency } from './concurrency-family.ts';
