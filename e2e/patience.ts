/**
 * Factor for the time limits of tests: 4 where `CI` is set, because such a machine may run other work beside them.
 */
export const PATIENCE: number = process.env['CI'] ? 4 : 1;
