/** Which node writes which session: node leases, session claims, and open turns. */
export {
  acquireNodeLease,
  forgetLostSessions,
  HAS_LIVE_OWNER,
  isChosenNode,
  LEASE_MS,
  LEASE_RENEWAL_MS,
  type LeaseRenewal,
  type LostSession,
  listNodeLeases,
  type NodeLeaseKey,
  releaseNodeLease,
  removeExpiredNodes,
  renewNodeLease,
} from './node-leases.ts';
export {
  type ClaimRequest,
  type ClaimResult,
  claimSessions,
  loadSessionStatus,
  releaseSessions,
  type SessionStatusRow,
  type Takeover,
} from './session-ownership.ts';
export { listOpenTurns, listSessionsToRecover, type Turn } from './turns.ts';
