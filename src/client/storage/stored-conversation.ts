import { LIMITS } from '../../protocol/index.ts';
import type { Conversation } from '../conversation/conversation-state.ts';
import type { Draft, DraftEvent } from '../conversation/outbox/outbox-state.ts';
import { createDraft, NO_ANSWER, PENDING, QUEUED } from '../conversation/outbox/transition.ts';
import { hasShape } from '../has-shape.ts';

interface Identity {
  readonly sessionId: string;
  /** Opaque; a placeholder if a cookie of the proxy contains the ticket; empty before there is a session. */
  readonly resumeTicket: string;
  readonly lastActivityMs: number;
}

/** State that survives a reload. Never the access token: the ticket is only usable at its proxy. Source: ST-3. */
export interface StoredConversation extends Identity {
  readonly drafts: readonly StoredDraft[];
  /** Hash of its user; empty or absent without one. */
  readonly owner?: string;
  /** Present after turns over HTTPS, because no log of the platform contains them. */
  readonly turns?: StoredFallback;
  /** Ids of executed commands of other tabs; absent without any. A new leader ignores these commands. */
  readonly commands?: readonly string[];
}

/** A conversation in turns that can be resumed. */
export interface StoredFallback {
  /** `STATE_VERSION` of `past`. */
  readonly version: number;
  /** The proxy's encrypted reference, or a placeholder if its cookie has it; empty when sockets work again. */
  readonly chat: string;
  /** When the socket session expires, by this device's clock; no socket is tried after that. Source: HB-3. */
  readonly sessionEndsAtMs: number;
  /** The serialised view. */
  readonly past: string;
}

/** A message that the platform has not confirmed. */
export interface StoredDraft {
  readonly localId: string;
  /** Without a custom map: a later page has its own context. */
  readonly event: DraftEvent;
  readonly createdAtMs: number;
  readonly afterSequence: number;
  /** A message that was only queued can be sent again without duplication. */
  readonly status: string;
}

/** Session of texts that were written before there was a session. */
export const NO_SESSION = { sessionId: '', resumeTicket: '' } as const;

const IDENTITY: Identity = { ...NO_SESSION, lastActivityMs: 0 };
const DRAFT = { localId: '', createdAtMs: 0, afterSequence: 0, status: '' };

/** True for an event with the fields that the client reads. */
const isDraftEvent = (value: unknown): boolean =>
  hasShape(value, { type: 'EVENT_TYPE_USER_MESSAGE', payload: {} }) &&
  hasShape(value.payload, value.type === 'EVENT_TYPE_USER_MESSAGE' ? { text: '' } : { message_id: '' });

/** Decodes a stored value; null for none, and for values of other versions. */
export function decodeStoredConversation(value: unknown): StoredConversation | null {
  if (!hasShape(value, IDENTITY) || !('drafts' in value) || !Array.isArray(value.drafts)) return null;
  return {
    ...value,
    drafts: value.drafts.filter(
      (draft) => hasShape(draft, DRAFT) && 'event' in draft && isDraftEvent(draft.event),
    ),
  };
}

/** True for a stored conversation that the platform still has. Source: ST-1. */
export function isFresh(stored: StoredConversation | null, nowMs: number): stored is StoredConversation {
  return stored !== null && nowMs - stored.lastActivityMs < LIMITS.inactivityMs;
}

/** Decodes the state serialised by `fallback/rest-fallback.ts`. JSON has neither infinity nor maps. */
export const unpackConversation = (text: string): Conversation =>
  JSON.parse(text, (_, value) =>
    Array.isArray(value?.map) ? new Map(value.map) : value?.isNever === true ? Infinity : value,
  );

/** True if a page that opens the chat resumes automatically; failed messages wait for the visitor. */
export const isOpen = ({ resumeTicket, drafts }: StoredConversation): boolean =>
  resumeTicket !== '' || drafts.some(({ status }) => status !== 'failed');

/** The stored part of a draft. */
export function toStoredDraft(draft: Draft): StoredDraft {
  const { localId, event, createdAtMs, afterSequence, delivery } = draft;
  return { localId, event: { ...event, custom: null }, createdAtMs, afterSequence, status: delivery.status };
}

/** Restores a stored draft to the outbox. A draft of an ended conversation is shown as not sent. */
export function fromStoredDraft({ status, ...draft }: StoredDraft, isCurrent: boolean): Draft {
  const isOver = status === 'failed' || !isCurrent;
  const delivery = isOver ? NO_ANSWER : status === 'pending' ? PENDING : QUEUED;
  return { ...createDraft(draft), delivery };
}
