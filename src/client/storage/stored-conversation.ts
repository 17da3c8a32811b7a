import { hasShape, type Shape } from '../has-shape.ts';
import { type Draft, isFailed } from '../outbox/outbox-state.ts';
import { createDraft, NO_ANSWER, PENDING } from '../outbox/transition.ts';

interface Identity {
  readonly sessionId: string;
  readonly resumeTicket: string;
  readonly lastActivityMs: number;
}

/** What survives a reload. Never the access token: the ticket is useless anywhere but at its proxy. Source: ST-3. */
export interface StoredConversation extends Identity {
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

const IDENTITY: Shape<Identity> = { sessionId: 'string', resumeTicket: 'string', lastActivityMs: 'number' };
const DRAFT: Shape<StoredDraft> = {
  localId: 'string',
  text: 'string',
  createdAtMs: 'number',
  afterSequence: 'number',
  wasSent: 'boolean',
  hasFailed: 'boolean',
};

/** Reads a stored value; null for nothing, and for anything this version did not write. */
export function decodeStoredConversation(value: unknown): StoredConversation | null {
  if (!hasShape(value, IDENTITY) || !('drafts' in value) || !Array.isArray(value.drafts)) return null;
  return { ...value, drafts: value.drafts.filter((draft) => hasShape(draft, DRAFT)) };
}

/** The part of a draft that is kept. */
export function toStoredDraft(draft: Draft): StoredDraft {
  const { localId, text, createdAtMs, afterSequence } = draft;
  return {
    localId,
    text,
    createdAtMs,
    afterSequence,
    wasSent: draft.firstSentAtMs !== null,
    hasFailed: isFailed(draft),
  };
}

/** A kept draft, back in the outbox. */
export function fromStoredDraft(stored: StoredDraft): Draft {
  const { localId, text, createdAtMs, afterSequence, wasSent, hasFailed } = stored;
  const draft = createDraft(localId, text, afterSequence, createdAtMs);
  return {
    ...draft,
    delivery: hasFailed ? NO_ANSWER : wasSent ? PENDING : draft.delivery,
    firstSentAtMs: wasSent ? createdAtMs : null,
  };
}
