import type { SessionPort } from '../conversation/index.ts';
import { recordHandoff, recordTurn, systemError } from '../conversation/index.ts';
import type { AppendEffects, ConversationChange, SessionPatch } from '../event-log/index.ts';
import type { TurnOutcome } from './run-turn.ts';
import { finishedEffects, isWithoutTrace, type QueuedTurn } from './turn-effects.ts';

type Answered = Extract<TurnOutcome, { readonly kind: 'answered' }>;
type Failed = Extract<TurnOutcome, { readonly kind: 'failed' }>;

/** Stores the end of a turn with its record, and starts what follows: a handoff or the end. */
export async function concludeTurn(port: SessionPort, turn: QueuedTurn, outcome: TurnOutcome): Promise<void> {
  const { clock, observer } = port.context;
  if (outcome.kind === 'answered') {
    await storeAnswer(port, turn, outcome, clock.now());
    return;
  }
  observer.failed('answer a turn', outcome.cause, { sessionId: port.row.id });
  await storeFailure(port, turn, outcome, clock.now());
}

/** The language that the agent should answer in. */
export function languageOf({ row, connector }: SessionPort): string {
  return row.language ?? connector.language;
}

async function storeAnswer(
  port: SessionPort,
  turn: QueuedTurn,
  outcome: Answered,
  atMs: number,
): Promise<void> {
  // An unchanged state is not written again.
  const session: SessionPatch = outcome.hasChangedState ? { agentState: outcome.state } : {};
  const record = toRecord(port, turn, outcome, atMs);
  const canWait = isWithoutTrace(turn, outcome);
  const effects: AppendEffects = { ...finishedEffects(turn, atMs), session, record, canWait };
  const { next, drafts } = outcome;
  if (next.type === 'handoff') {
    const handoff = recordHandoff(next, atMs);
    await port.startHandoff(next, drafts, { ...effects, record: { ...record, handoff } });
  } else if (next.type === 'end') await port.endNaturally(drafts, effects);
  else await port.append(drafts, effects);
}

async function storeFailure(
  port: SessionPort,
  turn: QueuedTurn,
  failure: Failed,
  atMs: number,
): Promise<void> {
  // After a failed join there is no conversation, so the user may ask again (JOIN-4).
  const session: SessionPatch | undefined =
    failure.stage === 'joining' ? { conversationStatus: 'none' } : undefined;
  const record = toRecord(port, turn, failure, atMs);
  const notice = systemError(failure.text, failure.missingAgent);
  await port.append([notice], { ...finishedEffects(turn, atMs), session, record });
}

function toRecord(
  port: SessionPort,
  turn: QueuedTurn,
  outcome: TurnOutcome,
  atMs: number,
): ConversationChange {
  const input =
    turn.kind === 'event' ? { kind: turn.kind, text: '', messageId: null, queuedAtMs: null } : turn;
  return {
    id: port.row.conversationId ?? '',
    language: languageOf(port),
    turns: [recordTurn(input, outcome, atMs)],
  };
}
