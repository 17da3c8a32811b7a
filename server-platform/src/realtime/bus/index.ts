/** The bus: how events reach the sockets of a session, and nodes each other. */
export type { Bus, BusMessage } from './bus.ts';
export { createInProcessBus } from './in-process-bus.ts';
export { type BusFiles, nameBusSpace, openBus } from './open-bus.ts';
export { isPeerError, NO_PEERS, type Peers } from './peers.ts';
