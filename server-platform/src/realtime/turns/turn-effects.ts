import { SYSTEM_TEXTS } from 'natter/protocol';
import type { EventDraft, WaitingTurn } from '../conversation/index.ts';
import type { AppendEffects } from '../event-log/index.ts';
import { markWaitBegun, settleWait } from '../external-events/index.ts';
import type { EventTurn } from './external-event-waits.ts';
import type { TurnOutcome } from './run-turn.ts';

/** A turn for a visitor's message, a greeting or an external event. */
export type QueuedTurn = WaitingTurn | EventTurn;

/** Effects stored with the first part of an answer, so that a new owner sees that it began. */
export function begunEffects(turn: QueuedTurn, messageId: string, nowMs: number): AppendEffects {
  return turn.kind === 'event'
    ? { also: (sql) => markWaitBegun(sql, turn.wait, nowMs) }
    : { beginTurn: { id: turn.id, messageId, startedAtMs: nowMs } };
}

/** Effects stored with the last event of a turn. */
export function finishedEffects(turn: QueuedTurn, finishedAtMs: number): AppendEffects {
  return turn.kind === 'event'
    ? { also: (sql) => settleWait(sql, turn.wait, finishedAtMs) }
    : { endTurn: turn };
}

/** Stores a changed language of the session with the event that causes the change. */
export function withLanguage(
  drafts: readonly EventDraft[],
  effects: AppendEffects | undefined,
): AppendEffects | undefined {
  const changed = drafts.find(({ type }) => type === 'EVENT_TYPE_LANGUAGE_CHANGED');
  const language = changed?.payload['language_code'];
  return typeof language === 'string' ? { ...effects, session: { language } } : effects;
}

/** Whether a turn ends without a visible event: no text and an unchanged state. */
export function isWithoutTrace(turn: QueuedTurn, outcome: TurnOutcome): boolean {
  if (turn.kind === 'event' || outcome.kind === 'failed') return false;
  return outcome.next.type === 'continue' && outcome.drafts.length === 0 && !outcome.hasChangedState;
}

/** The outcome of a turn whose agent is missing on this platform. */
export function failWithoutAgent(missingAgent: string, isJoining: boolean): TurnOutcome {
  const text = isJoining ? SYSTEM_TEXTS.joinFailed : SYSTEM_TEXTS.noReply;
  const cause = new Error(
    `The project's agent "${missingAgent}" is not in the configuration. Correct "agent" of the project, or add an agent of that name.`,
  );
  const stage = isJoining ? 'joining' : 'before_answer';
  const faults = { apiErrors: 0, functionErrors: 0 };
  return { kind: 'failed', stage, text, cause, missingAgent, faults, answerText: '', firstPartAtMs: null };
}
