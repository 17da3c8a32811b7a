// What some pages need before the panel has loaded, in one file, so that the loader has to name one.
export { findFault } from '../conversation/find-fault.ts';
export { startProactive } from '../proactive/start-proactive.ts';
