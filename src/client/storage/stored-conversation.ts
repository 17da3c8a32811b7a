import { LIMITS } from '../../protocol/index.ts';
import type { Conversation } from '../conversation/conversation-state.ts';
import type { Draft, DraftEvent } from '../conversation/outbox/outbox-state.ts';
import { createDraft, NO_ANSWER, PENDING, QUEUED } from '../conversation/outbox/transition.ts';
import { hasShape } from '../has-shape.ts';

interface Identity {
  readonly sessionId: string;
  /** Opaque; a placeholder where a cookie of the proxy holds the ticket; empty before there is a session. */
  readonly resumeTicket: string;
  readonly lastActivityMs: number;
}

/** What survives a reload. Never the access token: the ticket is useless anywhere but at its proxy. Source: ST-3. */
export interface StoredConversation extends Identity {
  readonly drafts: readonly StoredDraft[];
  /** Hash of its user; empty or missing without one. */
  readonly owner?: string;
  /** Present after turns over HTTPS, because no log of the platform contains them. */
  readonly turns?: StoredTurns;
  /** Ids of the commands of other tabs that were executed; missing without any. A new leader drops those it finds here. */
  readonly commands?: readonly string[];
}

/** A conversation in turns that can be resumed. */
export interface StoredTurns {
  /** `STATE_VERSION` of `past`. */
  readonly version: number;
  /** The reference that the proxy sealed, or a placeholder where its cookie holds it; empty when sockets work again. */
  readonly chat: string;
  /** When the session of the sockets is over, by this device's clock: from then on none is tried. Source: HB-3. */
  readonly sessionEndsAtMs: number;
  /** Everything that is shown, packed. */
  readonly past: string;
}

/** A message the platform has not confirmed. */
export interface StoredDraft {
  readonly localId: string;
  /** Without a custom map: a later page has its own context. */
  readonly event: DraftEvent;
  readonly createdAtMs: number;
  readonly afterSequence: number;
  /** One that was only queued can be sent without a risk of doubling it. */
  readonly status: string;
}

/** What words are kept under that were written before there was a session. */
export const NO_SESSION = { sessionId: '', resumeTicket: '' } as const;

const IDENTITY: Identity = { ...NO_SESSION, lastActivityMs: 0 };
const DRAFT = { localId: '', createdAtMs: 0, afterSequence: 0, status: '' };

/** True for an event with what the client itself reads of it. */
const isDraftEvent = (value: unknown): boolean =>
  hasShape(value, { type: 'EVENT_TYPE_USER_MESSAGE', payload: {} }) &&
  hasShape(value.payload, value.type === 'EVENT_TYPE_USER_MESSAGE' ? { text: '' } : { message_id: '' });

/** Reads a stored value; null for nothing, and for anything this version did not write. */
export function decodeStoredConversation(value: unknown): StoredConversation | null {
  if (!hasShape(value, IDENTITY) || !('drafts' in value) || !Array.isArray(value.drafts)) return null;
  return {
    ...value,
    drafts: value.drafts.filter(
      (draft) => hasShape(draft, DRAFT) && 'event' in draft && isDraftEvent(draft.event),
    ),
  };
}

/** True for a stored conversation that the platform still keeps. Source: ST-1. */
export function isFresh(stored: StoredConversation | null, nowMs: number): stored is StoredConversation {
  return stored !== null && nowMs - stored.lastActivityMs < LIMITS.inactivityMs;
}

/** What `fallback/turns.ts` has packed. JSON has no word for "never", and none for maps. */
export const unpackPast = (text: string): Conversation =>
  JSON.parse(text, (_, value) =>
    Array.isArray(value?.map) ? new Map(value.map) : value?.isNever === true ? Infinity : value,
  );

/** True if a page that opens the chat resumes something automatically; failed messages wait for the visitor. */
export const isOpen = ({ resumeTicket, drafts }: StoredConversation): boolean =>
  resumeTicket !== '' || drafts.some(({ status }) => status !== 'failed');

/** The part of a draft that is kept. */
export function toStoredDraft(draft: Draft): StoredDraft {
  const { localId, event, createdAtMs, afterSequence, delivery } = draft;
  return { localId, event: { ...event, custom: null }, createdAtMs, afterSequence, status: delivery.status };
}

/** A kept draft, back in the outbox. Of a conversation that is over by now it is shown as not sent. */
export function fromStoredDraft({ status, ...draft }: StoredDraft, isCurrent: boolean): Draft {
  const isOver = status === 'failed' || !isCurrent;
  const delivery = isOver ? NO_ANSWER : status === 'pending' ? PENDING : QUEUED;
  return { ...createDraft(draft), delivery };
}
