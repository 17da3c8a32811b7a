import type { DeliveryStatus } from '../chat-state.ts';
import type { Draft } from '../outbox/outbox-state.ts';

/** What survives a reload. Never the access token: the ticket is useless anywhere but at its proxy. Source: ST-3. */
export interface StoredConversation {
  readonly sessionId: string;
  readonly resumeTicket: string;
  readonly lastActivityMs: number;
  readonly drafts: readonly StoredDraft[];
}

/** A message the platform has not confirmed. */
export interface StoredDraft {
  readonly localId: string;
  readonly text: string;
  readonly createdAtMs: number;
  readonly afterSequence: number;
  /** False for one that was only queued: it can be sent without a risk of doubling it. */
  readonly wasSent: boolean;
  readonly hasFailed: boolean;
}

const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const isStoredDraft = (value: unknown): value is StoredDraft =>
  isFields(value) &&
  typeof value['localId'] === 'string' &&
  typeof value['text'] === 'string' &&
  typeof value['createdAtMs'] === 'number' &&
  typeof value['afterSequence'] === 'number' &&
  typeof value['wasSent'] === 'boolean' &&
  typeof value['hasFailed'] === 'boolean';

/** Reads a stored value; null for nothing, and for anything this version did not write. */
export function decodeStoredConversation(value: unknown): StoredConversation | null {
  if (!isFields(value)) return null;
  const { sessionId, resumeTicket, lastActivityMs, drafts } = value;
  if (typeof sessionId !== 'string' || typeof resumeTicket !== 'string') return null;
  if (typeof lastActivityMs !== 'number' || !Array.isArray(drafts)) return null;
  return { sessionId, resumeTicket, lastActivityMs, drafts: drafts.filter(isStoredDraft) };
}

/** The part of a draft that is kept. */
export function toStoredDraft(draft: Draft): StoredDraft {
  return {
    localId: draft.localId,
    text: draft.text,
    createdAtMs: draft.createdAtMs,
    afterSequence: draft.afterSequence,
    wasSent: draft.firstSentAtMs !== null,
    hasFailed: draft.delivery.status === 'failed',
  };
}

/** A kept draft, back in the outbox. */
export function fromStoredDraft(stored: StoredDraft): Draft {
  const delivery: DeliveryStatus = stored.hasFailed
    ? { status: 'failed', reason: 'no_answer', isRetryable: true }
    : { status: stored.wasSent ? 'pending' : 'queued' };
  return {
    localId: stored.localId,
    text: stored.text,
    createdAtMs: stored.createdAtMs,
    afterSequence: stored.afterSequence,
    delivery,
    firstSentAtMs: stored.wasSent ? stored.createdAtMs : null,
    sentOnLink: null,
    resends: 0,
    waitsForAgentSinceMs: null,
  };
}
