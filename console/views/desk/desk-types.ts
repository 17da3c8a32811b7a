import type { DeskDetails, DeskInbox, DeskReplies } from '../../../server-platform/src/console-api/index.ts';

export type {
  DeskDetails as Details,
  DeskFound as Found,
  DeskInbox as Inbox,
  DeskReplies as Replies,
} from '../../../server-platform/src/console-api/index.ts';

/** A request as desks see it. */
export type DeskRequest = DeskInbox['requests'][number];

/** What a visitor has left for an answer by email. */
export type ContactRequest = DeskInbox['contact_requests'][number];

/** The visitor of a conversation, and their earlier conversations. */
export type DeskVisitor = NonNullable<DeskDetails['visitor']>;

/** A canned reply, filled in where it is read for a conversation. */
export type Reply = DeskReplies['replies'][number];

/** A person or a queue that a conversation can be passed to. */
export interface TransferTarget {
  readonly kind: 'person' | 'queue';
  readonly id: string;
  readonly name: string;
}

/** One event of a conversation's log. */
export interface Entry {
  readonly sequence: number;
  readonly type: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly at: string;
}
