import type { MessagingContext } from '../messaging-context.ts';
import type { NodeRpc } from './node-rpc.ts';
import type { Session } from './session.ts';

/** A slot that counts against a session's connection limit. */
export interface ConnectionSlot {
  /** Releases the slot. Safe to call repeatedly. */
  readonly release: () => void;
}

/** Reserves one of a session's slots; `null` when all nodes together have used them up. Source: WS-3. */
export async function reserveSlot(
  { limits, peers, clock }: MessagingContext,
  rpc: NodeRpc,
  { id, usage }: Session,
): Promise<ConnectionSlot | null> {
  if (usage.connections >= limits.maxSocketsPerSession) return null;
  // Reserved before asking the other nodes, so that two concurrent reservations see each other.
  let isReserved = true;
  usage.connections += 1;
  const release = (): void => {
    if (!isReserved) return;
    isReserved = false;
    usage.connections -= 1;
    usage.unusedSinceMs = clock.now();
  };
  if (peers.isAlone) return { release };
  try {
    const elsewhere = await rpc.countConnections(id);
    if (usage.connections + elsewhere <= limits.maxSocketsPerSession) return { release };
  } catch (error) {
    release();
    throw error;
  }
  release();
  return null;
}
