import type { ClientEvent, OutgoingEvent } from 'natter/protocol';
import { isPeerError } from '../../bus/index.ts';
import type { ReplyTarget } from '../reply-target.ts';
import type { Session } from '../session.ts';

/** A command on its way to the owner node. Nodes of two releases send it to each other, so the names stay. */
export interface ForwardedCommand {
  readonly sessionId: string;
  readonly event: ClientEvent;
  /** The idempotency key where the client gave none: a command that is forwarded twice is stored once. */
  readonly draftId: string;
  /** Whether the node where it arrived found it within the rate limit: its way must earn it nothing. */
  readonly isAdmitted: boolean;
}

/** A command that the owner has handled, with its replies. */
export interface HandledCommand {
  readonly status: 'taken';
  /** For the sender alone, in order. */
  readonly delivered: readonly OutgoingEvent[];
  /** The answer to a command refused for a fault of the client's. */
  readonly refusal: OutgoingEvent | null;
  readonly close: { readonly code: number; readonly reason: string } | null;
}

/** The answer of the other node; `not_owner` means that it did nothing. */
export type ForwardResult = HandledCommand | { readonly status: 'not_owner' };

// An owner that works answers in milliseconds. After this the command is routed again, under the same key.
const ANSWER_MS = 5_000;
const TRANSIENT_ANSWER_MS = 1_000;

/**
 * Sends a command to the owner node, and its replies to the sender. False when the owner did not handle it, or its
 * answer was lost: under its key the command may go there again, or to the next owner.
 */
export async function forwardCommand(
  { context, lease, row }: Session,
  event: ClientEvent,
  idempotencyKey: string,
  reply: ReplyTarget,
): Promise<boolean> {
  const { owner } = lease;
  if (owner === null) return false;
  const timeoutMs = isTransient(event) ? TRANSIENT_ANSWER_MS : ANSWER_MS;
  const command: ForwardedCommand = {
    sessionId: row.id,
    event,
    draftId: idempotencyKey,
    isAdmitted: true,
  };
  try {
    // The answer of a `Session.receive` on the other node.
    const result = (await context.peers.call(owner, 'input', command, timeoutMs)) as ForwardResult;
    if (result.status === 'not_owner') {
      if (!isTransient(event)) lease.markReleased(owner);
      return false;
    }
    for (const answer of result.delivered) reply.deliver(answer);
    if (result.refusal !== null) reply.refuse(result.refusal);
    if (result.close !== null) reply.close(result.close.code, result.close.reason);
    return true;
  } catch (error) {
    if (isPeerError(error)) return false;
    throw error;
  }
}

/** Whether a command leaves nothing in the log: it is worth no change of owners, and not missed when it is lost. */
export function isTransient({ type }: ClientEvent): boolean {
  return (
    type === 'EVENT_TYPE_USER_TYPING' ||
    type === 'EVENT_TYPE_USER_RECEIVED_MESSAGE' ||
    type === 'EVENT_TYPE_USER_READ_MESSAGE'
  );
}

/** Collects the replies to a command of another node. */
export function createBufferedReply(): ReplyTarget & { readonly result: () => HandledCommand } {
  const delivered: OutgoingEvent[] = [];
  let refusal: OutgoingEvent | null = null;
  let close: HandledCommand['close'] = null;
  return {
    deliver: (event) => void delivered.push(event),
    refuse(answer) {
      refusal ??= answer;
    },
    close(code, reason) {
      close ??= { code, reason };
    },
    result: () => ({ status: 'taken', delivered, refusal, close }),
  };
}
