import { RECEIPTS, SURVEY_COMMENT_KEY } from '../../protocol/index.ts';
import {
  type Conversation,
  type ConversationAction,
  canCancelHandoff,
  hasMessage,
  isOver,
  type Turn,
} from './conversation-state.ts';
import { type Draft, feedbackOf } from './outbox/outbox-state.ts';
import { createDraft, isNamed, REFUSED, SENT, settleDrafts } from './outbox/transition.ts';
import { applyFeedback } from './transcript/apply-feedback.ts';
import { hideRest } from './transcript/apply-message.ts';
import { EMPTY_TRANSCRIPT } from './transcript/transcript-state.ts';

/** How long an ended chat's socket stays open for the platform's last events. Source: messaging.md 6.4. */
export const CLOSE_AFTER_END_MS = 2_000;

/** Adds a draft. */
export function write(
  conversation: Conversation,
  { localId, event }: Pick<Draft, 'localId' | 'event'>,
  { nowMs, commands }: Turn,
): Conversation {
  // A replaced leader sends its drafts to the next one, which may already have them.
  if (hasMessage(conversation, localId)) return conversation;
  // A client that has given up waits for the visitor's action. Source: messaging.md 11.
  if (conversation.connection.status === 'failed') commands.push({ type: 'connect' });
  const afterSequence = conversation.transcript.cursor;
  const draft = createDraft({ localId, event, createdAtMs: nowMs, afterSequence });
  const feedback = feedbackOf(draft);
  // Only the last feedback per message counts, so it replaces unsent and failed ones.
  const outbox = conversation.outbox.filter(
    (earlier) =>
      !feedback ||
      feedbackOf(earlier)?.message_id !== feedback.message_id ||
      !['queued', 'failed'].includes(earlier.delivery.status),
  );
  return { ...conversation, outbox: [...outbox, draft], lastActivityMs: nowMs };
}

/** Applies the token proxy's response to feedback. Source: EXT-6. */
export function settleFeedback(
  conversation: Conversation,
  { localId, isAccepted }: Extract<ConversationAction, { type: 'feedback_answered' }>,
): Conversation {
  const { outbox, transcript } = conversation;
  const draft = outbox.find(isNamed(localId));
  const feedback = draft && feedbackOf(draft);
  return {
    ...conversation,
    outbox: settleDrafts(outbox, (one) => one === draft, isAccepted ? SENT : REFUSED),
    transcript: isAccepted && feedback ? applyFeedback(transcript, feedback) : transcript,
  };
}

/** Removes a failed or waiting draft. */
export const discard = (conversation: Conversation, localId: string): Conversation => ({
  ...conversation,
  outbox: conversation.outbox.filter(
    (draft) => draft.localId !== localId || !['queued', 'failed'].includes(draft.delivery.status),
  ),
});

/** Answers the open survey, or skips it. */
export function rate(
  conversation: Conversation,
  { surveyId: survey_id, score, comment }: Extract<ConversationAction, { type: 'rated' }>,
  { nowMs, commands }: Turn,
): Conversation {
  const { transcript } = conversation;
  const { survey } = transcript;
  if (survey?.status !== 'open' || survey.id !== survey_id) return conversation;
  const skipped = score === null;
  const payload = { survey_id, score, skipped };
  const hasComment = survey.canComment && score !== null && comment !== '';
  const custom = hasComment ? { [SURVEY_COMMENT_KEY]: comment } : null;
  commands.push({ type: 'EVENT_TYPE_CSAT_RESPONSE', payload, custom });
  return {
    ...conversation,
    transcript: { ...transcript, survey: { ...survey, status: skipped ? 'skipped' : 'rated' } },
    closeAtMs: nowMs + CLOSE_AFTER_END_MS,
  };
}

/** Withdraws the request for a person; the platform's answer changes the transcript. Source: EXT-5. */
export function cancelHandoff(conversation: Conversation, { commands }: Turn): Conversation {
  if (canCancelHandoff(conversation))
    commands.push({ type: 'EVENT_TYPE_X_CANCEL_HANDOFF', payload: {}, custom: null });
  return conversation;
}

/**
 * Marks all messages as read, and reports that to a person who wrote last if the platform accepts receipts: at once, or
 * when the socket can be used again. Source: EXT-8.
 */
export function markRead(conversation: Conversation, { commands }: Turn): Conversation {
  const { transcript, isLive } = conversation;
  const last = transcript.entries.at(-1)?.item;
  if (
    last?.kind === 'agent' &&
    last.speaker.kind === 'live_agent' &&
    isLive &&
    transcript.capabilities.extensions?.includes(RECEIPTS)
  ) {
    const payload = { message_id: last.messageId };
    commands.push({ type: 'EVENT_TYPE_USER_READ_MESSAGE', payload, custom: null });
  }
  return { ...conversation, isReadDue: !isLive, transcript: { ...transcript, unread: 0 } };
}

/** Hides the rest of the streaming answer, and stops it on platforms that support it. Source: EXT-4, EXT-6. */
export function stopAnswer(conversation: Conversation, { commands }: Turn): Conversation {
  const { transcript, isLive } = conversation;
  const { open } = transcript.assembly;
  if (open && isLive && transcript.extensions.includes('stop')) {
    const payload = { message_id: open.messageId };
    commands.push({ type: 'EVENT_TYPE_X_STOP_RESPONSE', payload, custom: null });
  }
  return { ...conversation, transcript: hideRest(transcript) };
}

/** Sends a failed draft again, under a new id. Source: DEL-7. */
export function retry(
  conversation: Conversation,
  { localId, newLocalId }: Extract<ConversationAction, { type: 'retried' }>,
  turn: Turn,
): Conversation {
  const draft = conversation.outbox.find((one) => one.localId === localId);
  return draft?.delivery.status === 'failed' && draft.delivery.isRetryable && !isOver(conversation)
    ? write(discard(conversation, localId), { ...draft, localId: newLocalId }, turn)
    : conversation;
}

/** Hides another visitor's messages immediately, before the platform has ended that conversation. */
export function claim(conversation: Conversation, owner: string): Conversation {
  const isForeign = conversation.owner !== '' && conversation.owner !== owner;
  return {
    ...conversation,
    owner,
    ...(isForeign && { transcript: EMPTY_TRANSCRIPT, outbox: [], visitors: conversation.visitors + 1 }),
  };
}

/** Ends the chat; its socket is closed here if the platform does not close it in time. Source: messaging.md 6.4. */
export function endByUser(conversation: Conversation, { nowMs, commands }: Turn): Conversation {
  if (isOver(conversation)) return conversation;
  const isUp = conversation.liveAtMs < Infinity;
  if (isUp) commands.push({ type: 'EVENT_TYPE_USER_END_SESSION', payload: {}, custom: null });
  return { ...conversation, hasUserEnded: true, closeAtMs: nowMs + (isUp ? CLOSE_AFTER_END_MS : 0) };
}
