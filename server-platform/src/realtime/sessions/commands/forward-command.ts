import type { ClientEvent, OutgoingEvent } from 'natter/protocol';
import { isPeerError } from '../../bus/index.ts';
import type { ReplyTarget } from '../reply-target.ts';
import type { Session } from '../session.ts';

/** A command on its way to the owner node. Nodes of two releases send it to each other, so the names stay. */
export interface ForwardedCommand {
  readonly sessionId: string;
  readonly event: ClientEvent;
  /** Idempotency key for commands without a client key, so that a command forwarded twice is stored once. */
  readonly draftId: string;
  /** Whether the receiving node found it within the rate limit; forwarding must not refill the allowance. */
  readonly isAdmitted: boolean;
}

/** Result of a command on the owner node, with its replies. */
export interface HandledCommand {
  readonly status: 'taken';
  /** Replies for the sender only, in order. */
  readonly delivered: readonly OutgoingEvent[];
  /** Reply to a faulty command. */
  readonly refusal: OutgoingEvent | null;
  readonly close: { readonly code: number; readonly reason: string } | null;
}

/** The other node's response; `not_owner` means that it did nothing. */
export type ForwardResult = HandledCommand | { readonly status: 'not_owner' };

// A healthy owner responds in milliseconds. After this time the command is routed again, under the same key.
const ANSWER_MS = 5_000;
const TRANSIENT_ANSWER_MS = 1_000;

/**
 * Forwards a command to the owner node, and its replies to the sender. Returns false when the owner did not handle it
 * or its response was lost: the command may be sent again under its key, there or to the next owner.
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
    // The other node's result of `Session.receive`.
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

/** Whether a command writes nothing to the log, so that it may be lost and justifies no takeover. */
export function isTransient({ type }: ClientEvent): boolean {
  return (
    type === 'EVENT_TYPE_USER_TYPING' ||
    type === 'EVENT_TYPE_USER_RECEIVED_MESSAGE' ||
    type === 'EVENT_TYPE_USER_READ_MESSAGE'
  );
}

/** Collects the replies to another node's command. */
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
