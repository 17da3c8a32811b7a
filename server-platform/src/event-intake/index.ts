/** Takes in events from other systems. */
export { createExternalEventsFamily } from './external-events-family.ts';
