/** Phone numbers reserved for one call. */
export { E164, setNumberPool } from './number-pool.ts';
export { createNumbersFamily } from './numbers-family.ts';
