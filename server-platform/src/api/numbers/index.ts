/** Phone numbers reserved for one call. */
export { E164, readNumberPool, reserveNumber, setNumberPool } from './number-pool.ts';
export { createNumbersFamily } from './numbers-family.ts';
