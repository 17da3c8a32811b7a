// What some pages need before the panel has loaded, in one file, so that the loader has to name one.
export { checkArgument } from './check-argument.ts';
export { startProactive } from './proactive/start-proactive.ts';
