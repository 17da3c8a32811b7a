/** External events: sent by other systems to a conversation that waits for them. */

export { createExternalEventsFamily } from './external-events-family.ts';
export {
  type ExternalState,
  listOpenWaits,
  listSessionsToNotify,
  loadExternalState,
  markWaitBegun,
  type OpenWait,
  openWait,
  type ReceivedEvent,
  settleAllWaits,
  settleWait,
  storeExternalEvent,
  type WaitOwner,
  type WaitRound,
} from './external-waits-store.ts';
export { receiveExternalEvent } from './receive-external-event.ts';
