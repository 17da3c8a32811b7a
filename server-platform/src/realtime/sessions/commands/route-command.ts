import { randomUUID } from 'node:crypto';
import { CLOSE_CODES, type ClientEvent } from 'natter/protocol';
import { sleep } from '../../../kit/clock.ts';
import { sessionUnavailable } from '../../conversation/index.ts';
import { isSessionLoss, isStaleOwner } from '../../session-loss.ts';
import { closeCodeOf, type ReplyTarget } from '../reply-target.ts';
import type { Session } from '../session.ts';
import { forwardCommand, isTransient } from './forward-command.ts';
import { handleCommand } from './handle-command.ts';

/** How long a command is retried beyond the lease of a dead owner. */
export const ROUTE_GRACE_MS = 2_000;
const ROUTE_RETRY_MS = 100;

/**
 * Routes one command of a local connection to the owner of its session.
 *
 * | the owner is              | then the command                                                                |
 * |---------------------------|---------------------------------------------------------------------------------|
 * | this node, or none        | is handled here                                                                 |
 * | another one, reachable    | is forwarded, and the owner's replies go to the sender                          |
 * | another one, out of reach | takes the session over: at once when no turn is open there, else with its lease |
 *
 * At `giveUpAtMs` the connection closes with 1013: the client reconnects and resends the command.
 */
export async function routeCommand(
  session: Session,
  command: ClientEvent,
  reply: ReplyTarget,
  giveUpAtMs: number,
): Promise<void> {
  const { peers, clock } = session.context;
  if (!session.isOpen) return;
  if (isTransient(command)) {
    const { owner } = session.lease;
    if (owner === null || !peers.canReach(owner)) await handleCommand(session, command, reply, null);
    else await forwardCommand(session, command, '', reply);
    return;
  }
  let idempotencyKey: string | null = null;
  while (session.isOpen) {
    if (peers.isShared && session.epoch === null && clock.now() >= giveUpAtMs) {
      reply.close(CLOSE_CODES.overload, 'come back');
      return;
    }
    try {
      if (!(await acquire(session, command, reply))) return;
      return await handleCommand(session, command, reply, idempotencyKey);
    } catch (error) {
      if (!peers.isShared || !isStaleOwner(error)) throw error;
    }
    idempotencyKey ??= randomUUID();
    if (await forwardCommand(session, command, idempotencyKey, reply)) return;
    await sleep(clock, ROUTE_RETRY_MS);
  }
}

/**
 * Acquires the session for a command. Returns false when it could not be read: the sender gets an error and keeps its
 * connection, because the database may be available for the next command. Source: 12.1, SYS-3.
 */
async function acquire(session: Session, { custom }: ClientEvent, reply: ReplyTarget): Promise<boolean> {
  try {
    await session.ensureOwner();
    return true;
  } catch (error) {
    if (isSessionLoss(error) || closeCodeOf(error) === CLOSE_CODES.overload) throw error;
    session.report('read a session', error);
    reply.deliver(sessionUnavailable(session.context.clock.now(), custom));
    return false;
  }
}
