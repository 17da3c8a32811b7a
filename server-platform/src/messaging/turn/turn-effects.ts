import type { AppendEffects } from '../../db/index.ts';
import { markWaitBegun, settleWait } from '../../external-events/index.ts';
import type { EventDraft } from '../event-draft.ts';
import type { WaitingTurn } from '../session-port.ts';
import type { EventTurn } from './external-event-waits.ts';
import type { TurnOutcome } from './run-turn.ts';

/** A turn for a visitor's message, for a greeting, or for an external event. */
export type QueuedTurn = WaitingTurn | EventTurn;

/** Stored with the first part of an answer: a new owner sees that the answer began. */
export function begunEffects(turn: QueuedTurn, messageId: string, nowMs: number): AppendEffects {
  return turn.kind === 'event'
    ? { also: (sql) => markWaitBegun(sql, turn.wait, nowMs) }
    : { turn: { id: turn.id, state: 'running', messageId, startedAtMs: nowMs } };
}

/** Stored with the last event of a turn. */
export function finishedEffects(
  turn: QueuedTurn,
  outcome: TurnOutcome,
  startedAtMs: number,
  finishedAtMs: number,
): AppendEffects {
  if (turn.kind === 'event') return { also: (sql) => settleWait(sql, turn.wait, finishedAtMs) };
  const { id, queuedAtMs } = turn;
  if (outcome.kind === 'failed') return { turn: { id, state: 'failed', startedAtMs, finishedAtMs } };
  const latencyMs = (outcome.firstPartAtMs ?? finishedAtMs) - queuedAtMs;
  return { turn: { id, state: 'done', startedAtMs, finishedAtMs, latencyMs, record: outcome.record } };
}

/** Stores the language of the session with the event that changes it. */
export function withLanguage(
  drafts: readonly EventDraft[],
  effects: AppendEffects | undefined,
): AppendEffects | undefined {
  const changed = drafts.find(({ type }) => type === 'EVENT_TYPE_LANGUAGE_CHANGED');
  const language = changed?.payload['language_code'];
  return typeof language === 'string' ? { ...effects, session: { language } } : effects;
}
