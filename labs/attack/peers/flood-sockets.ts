import { PATIENCE } from '../../../e2e/patience.ts';
import type { Amount, AttackContext } from '../attack.ts';
import { converse, type HostileSession, join, startSession } from './hostile-session.ts';
import { closeOutcome, type HostileWebSocket } from './hostile-web-socket.ts';

/** The frames that flood a socket. */
export interface Flood {
  /** Bytes that are written over and over: whole frames. */
  readonly bytes: Buffer;
  /** Written once before them. */
  readonly first?: Buffer;
  /** How often, at most, on one socket. */
  readonly writes: Amount;
  /** Starts the conversation first. Default false. */
  readonly hasConversation?: boolean;
  /** Never reads the stack's responses. Default false. */
  readonly isDeaf?: boolean;
  /** The stack need not close the socket, so that nothing waits for that. Default false. */
  readonly mayStayOpen?: boolean;
}

// Several peers at once, each on a separate session, which any stranger can get.
const PEERS: Amount = { small: 2, full: 6 };
const RECONNECTS: Amount = { small: 1, full: 40 };
const RECONNECT_PAUSE_MS = 50;
// What the stack has read by then decides; a socket that is open afterwards was not closed for the flood.
const CLOSE_PATIENCE_MS = 5_000 * PATIENCE;

/** Floods sockets, opening another one when the stack closes one, until the attack's time is over. */
export async function floodSockets(context: AttackContext, flood: Flood): Promise<void> {
  const peers = context.pick(PEERS);
  const sessions = await Promise.all(Array.from({ length: peers }, () => startSession(context)));
  await Promise.all(
    sessions.map(async (session) => {
      for (
        let turn = 0;
        turn < context.pick(RECONNECTS) && !(turn > 0 && context.signal.aborted);
        turn += 1
      ) {
        const socket = await enter(context, session, flood);
        if (socket !== null) await floodOne(context, socket, flood);
        await context.pause(RECONNECT_PAUSE_MS);
      }
    }),
  );
}

async function enter(
  context: AttackContext,
  session: HostileSession,
  { hasConversation = false }: Flood,
): Promise<HostileWebSocket | null> {
  if (hasConversation) return await converse(context, session);
  const { status, socket } = await join(context, session);
  if (socket === null) context.count(`handshake ${status}`);
  return socket;
}

async function floodOne(context: AttackContext, socket: HostileWebSocket, flood: Flood): Promise<void> {
  const { bytes, first, writes, isDeaf = false, mayStayOpen = false } = flood;
  if (isDeaf) socket.socket.socket.pause();
  if (first !== undefined) await socket.write(first);
  for (let written = 0; written < context.pick(writes) && !socket.isOver; written += 1) {
    if (written > 0 && context.signal.aborted) break;
    // A stack that stops reading leaves the write waiting; the attack's time ends that.
    await Promise.race([socket.write(bytes), context.pause(CLOSE_PATIENCE_MS)]);
  }
  if (isDeaf) socket.socket.socket.resume();
  if (!mayStayOpen) await socket.socket.wait(() => socket.isOver, CLOSE_PATIENCE_MS);
  context.count(closeOutcome(socket));
  await socket.leave();
}
