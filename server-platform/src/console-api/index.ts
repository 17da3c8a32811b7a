/** The console: one page for the people of an account, and the calls it makes. */

export type { LiveConversation, LiveList } from '../records/conversations/index.ts';
export type * from './answers.ts';
export type { SharedServices } from './console-call.ts';
export { type ConsoleServices, startConsoleFamily } from './console-family.ts';
