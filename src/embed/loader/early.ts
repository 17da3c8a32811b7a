// The code that some pages need before the panel, in one file, so that the loader needs only one file name.
export { findFault } from '../conversation/find-fault.ts';
export { startProactive } from '../proactive/start-proactive.ts';
