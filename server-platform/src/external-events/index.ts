/** External events: what other systems tell a conversation that waits for it. */
export {
  type ExternalState,
  listSessionsToTell,
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
