/** The bus: delivers session events between nodes, and calls from one node to another. */
export type { Bus, BusMessage } from './bus.ts';
export { createInProcessBus } from './in-process-bus.ts';
export { type BusFiles, deriveBusSpace, openBus } from './open-bus.ts';
export { isPeerError, NO_PEERS, type Peers } from './peers.ts';
