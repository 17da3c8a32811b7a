import type { Inbox } from './desk-types.ts';

/** The kinds of draft in a conversation: a reply for the visitor, or a private note for the team. */
export type Kind = 'reply' | 'note';

/** The texts of one conversation that are neither sent nor added yet. */
export interface Draft {
  readonly reply: string;
  readonly note: string;
  /** Files to be sent after the reply. */
  readonly files: readonly File[];
  /** The tab of the composer that was open last. */
  readonly kind: Kind;
}

/** By the request's id. They are in the memory of the tab only, because they may speak of visitors. */
export type Drafts = Readonly<Record<string, Draft>>;

export const NO_DRAFT: Draft = { reply: '', note: '', files: [], kind: 'reply' };

/** Whether a draft has words or files that the person would miss. */
export function hasContent({ reply, note, files }: Draft): boolean {
  return `${reply}${note}`.trim() !== '' || files.length > 0;
}

/**
 * The drafts that can still be used. A reply and its files go as soon as the conversation is not the person's any more; a note goes when
 * the conversation is neither listed nor shown.
 */
export function keepDrafts(
  drafts: Drafts,
  { requests, recent }: Pick<Inbox, 'requests' | 'recent'>,
  { personId, shownId }: { readonly personId: string | null; readonly shownId: string | null },
): Drafts {
  const kept = Object.entries(drafts).flatMap(([id, draft]): readonly [string, Draft][] => {
    const request = [...requests, ...recent].find((each) => each.id === id);
    if (request?.status === 'accepted' && request.person_id === personId) return [[id, draft]];
    const isReachable = request !== undefined || id === shownId;
    return isReachable && draft.note !== '' ? [[id, { ...NO_DRAFT, note: draft.note }]] : [];
  });
  return Object.fromEntries(kept);
}
