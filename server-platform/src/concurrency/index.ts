/** How many conversations go on at the same time. */
export { createConcurrencyFamily } from './concurrency-family.ts';
