import { AGENTS } from './cases/agent-cases.ts';
import { CLIENTS } from './cases/client-cases.ts';
import { EVENTS } from './cases/event-cases.ts';
import { MARKDOWN } from './cases/markdown-cases.ts';
import { PEOPLE } from './cases/people-cases.ts';
import { PROTOCOL } from './cases/protocol-cases.ts';
import { REST } from './cases/rest-cases.ts';
import { SEARCH } from './cases/search-cases.ts';
import { VISITORS } from './cases/visitor-cases.ts';
import type { LinearCase } from './linear-case.ts';

/** Every reader of outside input, by what reads it. */
export const LINEAR_CASES: readonly LinearCase[] = [
  ...EVENTS,
  ...REST,
  ...SEARCH,
  ...AGENTS,
  ...PROTOCOL,
  ...MARKDOWN,
  ...CLIENTS,
  ...PEOPLE,
  ...VISITORS,
];
