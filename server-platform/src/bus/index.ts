/** The bus: how events reach the sockets of a session. */
export type { Bus, BusMessage } from './bus.ts';
export { createInProcessBus } from './in-process-bus.ts';
