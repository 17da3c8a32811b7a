/** The console: one page for the people of an account, and the calls it makes. */

export type { SharedServices } from './console-call.ts';
export { type ConsoleServices, startConsoleFamily } from './console-family.ts';
export type { Overview } from './overview.ts';
