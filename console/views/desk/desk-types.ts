import type { Me } from '../../session.ts';

/** Responses of the desk's calls; `GET /desk/api/openapi.json` describes it. */
export interface DeskRequest {
  readonly id: string;
  readonly status: 'waiting' | 'offered' | 'accepted' | 'returned' | 'ended' | 'abandoned';
  readonly conversation_id: string;
  readonly queue_id: string;
  readonly queue_name: string;
  readonly person_id: string | null;
  readonly person_name: string | null;
  readonly reason: string;
  readonly language: string | null;
  readonly requested_at: string;
  /** `idle`: the page is open and sends no frames. Null: the request is over. */
  readonly visitor: 'here' | 'idle' | 'gone' | null;
  /** Since when they are idle or gone. */
  readonly visitor_since: string | null;
  readonly offer_expires_at: string | null;
  readonly unread: number;
  /** The message that the visitor has seen last; null: none, or their client sends no receipts. */
  readonly seen_message_id: string | null;
  readonly tags: readonly string[];
}

/** What a visitor has left for an answer by e-mail. */
export interface ContactRequest {
  readonly id: string;
  readonly project: string;
  readonly name: string;
  readonly email: string;
  readonly text: string;
  readonly created_at: string;
}

export interface Inbox {
  readonly me: Me;
  readonly requests: readonly DeskRequest[];
  readonly recent: readonly DeskRequest[];
  /** The visitors' first questions, by the id of the conversation. */
  readonly questions: Readonly<Record<string, string>>;
  readonly contact_requests: readonly ContactRequest[];
  readonly queues: readonly {
    readonly id: string;
    readonly name: string;
    readonly is_open: boolean;
    readonly waiting: number;
  }[];
  readonly people: readonly {
    readonly id: string;
    readonly name: string;
    readonly presence: 'available' | 'away' | 'offline';
    readonly load: number;
    readonly capacity: number;
  }[];
}

type Facts = Readonly<Record<string, unknown>>;

interface Note {
  readonly id: string;
  readonly person_name: string;
  readonly text: string;
  readonly created_at: string;
}

/** The visitor of a conversation, and their earlier conversations. */
export interface DeskVisitor {
  readonly language: string | null;
  readonly platform: string | null;
  readonly device_type: string | null;
  /** The newest first. */
  readonly pages: readonly { readonly page: string; readonly at: string }[];
  readonly user: { readonly id: string; readonly is_verified: boolean } | null;
  readonly earlier: readonly {
    readonly id: string;
    readonly may_open: boolean;
    readonly queue_name: string;
    readonly person_name: string | null;
    readonly requested_at: string;
    readonly question: string;
    readonly tags: readonly string[];
    readonly notes: readonly Note[];
  }[];
}

export interface Details {
  readonly request: DeskRequest;
  readonly notes: readonly Note[];
  /** Null: the person may not read the conversation. */
  readonly visitor: DeskVisitor | null;
  readonly state: Facts;
  readonly page: Facts;
  readonly handoff: Facts;
  readonly survey: { readonly score: string; readonly comment: string | null } | null;
}

export interface Reply {
  readonly id: string;
  readonly name: string;
  readonly text: string;
}

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
  readonly payload: Facts;
  readonly at: string;
}
