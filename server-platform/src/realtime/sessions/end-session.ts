import type { ClientEventDraft } from '../conversation/index.ts';
import { recordEnd, type SessionEndReason } from '../conversation/index.ts';
import type { AppendEffects, SessionPatch } from '../event-log/index.ts';
import { isSessionLoss } from '../session-loss.ts';
import type { Session } from './session.ts';

/**
 * Ends the conversation, either at once or after asking the user for a rating (TBD-3). Source: messaging.md 8.6, 8.7.
 */
export async function endConversation(
  session: Session,
  reason: SessionEndReason,
  drafts: readonly ClientEventDraft[],
  effects: AppendEffects = {},
): Promise<void> {
  const { turns, handoff, survey, appender } = session;
  const planned = survey.plan(reason);
  if (planned === null) {
    await endSession(session, reason, drafts, effects);
    return;
  }
  turns.abort('the conversation ended');
  const patch = { ...effects.session, state: 'active', handoff: null } satisfies SessionPatch;
  const also = turns.waits.ending ?? effects.also;
  await appender.append([...drafts, planned.draft], { ...effects, session: patch, also });
  handoff.close('user_ended');
  turns.waits.clear();
  survey.begin(planned, () => endSession(session, planned.reason, []));
}

/** Writes the drafts and then SESSION_END in one commit. No event follows. Source: messaging.md 8.8, 8.9. */
export async function endSession(
  session: Session,
  reason: SessionEndReason,
  drafts: readonly ClientEventDraft[],
  effects: AppendEffects = {},
): Promise<void> {
  const { context, state, lease, turns, handoff, survey, appender } = session;
  state.isEnding = true;
  turns.abort('the session ended');
  const outcome = reason === 'REASON_USER_ABANDONED' ? 'expired' : 'ended';
  const endedAtMs = context.clock.now();
  const patch = { ...effects.session, state: outcome, endedAtMs } satisfies SessionPatch;
  const record = recordEnd(state.row, reason, endedAtMs, effects.record);
  const end = { type: 'EVENT_TYPE_SESSION_END' as const, payload: { reason } };
  const also = turns.waits.ending ?? effects.also;
  try {
    await appender.append([...drafts, end], { ...effects, session: patch, record, also });
  } catch (error) {
    // Turns are aborted and commands ignored by now; without this, the session would stay so until it is unloaded.
    if (!isSessionLoss(error)) session.discard(error);
    throw error;
  }
  handoff.close(outcome === 'expired' ? 'expired' : 'user_ended');
  turns.waits.clear();
  survey.stop();
  lease.release();
  context.observer.happened(state.row.id, { kind: 'ended', reason });
}
