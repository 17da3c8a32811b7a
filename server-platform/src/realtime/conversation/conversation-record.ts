import {
  type AgentFailureStage,
  type HandoffAction,
  isAgentError,
  publicState,
  type TurnFaults,
  type TurnRecord,
} from '../../agents/index.ts';
import {
  ANSWER_ID,
  type ConversationChange,
  type ConversationEndReason,
  type ConversationHandoff,
  type ConversationTurn,
  type StoredSession,
} from '../event-log/index.ts';
import type { MessagingConnector } from './connector.ts';

/** Why a session ended. Source: messaging.md 8.6 to 8.8. */
export type SessionEndReason = 'REASON_USER_END' | 'REASON_NATURAL_END' | 'REASON_USER_ABANDONED';

/** A turn's input as the session knows it. */
export interface RecordedInput {
  readonly kind: ConversationTurn['kind'];
  readonly text: string;
  /** Id of the user's message; null if the turn has none. */
  readonly messageId: string | null;
  readonly queuedAtMs: number | null;
  /** Whether the visitor sent it while an answer was streaming. */
  readonly bargesIn?: boolean;
}

/** A turn's outcome for the record, in any channel. */
export type RecordedOutcome = {
  /** The whole text of the answer, or of a failed one the part before the failure. */
  readonly answerText: string;
  /** The answer's id as the reader's client knows it; absent in channels whose answers have no ids. */
  readonly messageId?: string;
  /** When the first part of the answer arrived; `null` for an empty answer. */
  readonly firstPartAtMs: number | null;
  readonly faults: TurnFaults;
} & (
  | {
      readonly kind: 'answered';
      /** Whether the visitor stopped the answer; absent in channels without that feature. */
      readonly isStopped?: boolean;
      readonly record: TurnRecord;
      readonly state: Readonly<Record<string, unknown>>;
      readonly hasChangedState: boolean;
    }
  | { readonly kind: 'failed'; readonly stage: AgentFailureStage; readonly cause: unknown }
);

/** Records the start of a session's conversation. Source: `rest.md`, 4.2. */
export function recordStart(
  connector: MessagingConnector,
  conversation: {
    readonly id: string;
    readonly atMs: number;
    readonly language: string;
    readonly variantId: string;
  },
): ConversationChange {
  return {
    id: conversation.id,
    start: {
      atMs: conversation.atMs,
      projectId: connector.projectId,
      connectorId: connector.id,
      variantId: conversation.variantId,
      variantName: connector.variants.find(({ id }) => id === conversation.variantId)?.name ?? '',
      environment: connector.environment,
      channel: 'WEBCHAT',
      language: conversation.language,
      fromNumber: '',
      toNumber: '',
      sharedId: null,
    },
  };
}

/** Records a completed turn. Source: CV-15, CV-17. */
export function recordTurn(input: RecordedInput, outcome: RecordedOutcome, atMs: number): ConversationTurn {
  const { kind, text, messageId, queuedAtMs, bargesIn = false } = input;
  const { answerText, messageId: answerId, firstPartAtMs, faults } = outcome;
  const shared = {
    kind,
    userInput: text,
    userInputAtMs: kind === 'message' ? queuedAtMs : null,
    bargeIn: bargesIn || (outcome.kind === 'answered' && outcome.isStopped === true),
    agentResponse: answerText,
    agentResponseAtMs: firstPartAtMs,
    isSilence: kind === 'message' && text.trim() === '',
    latencyMs: firstPartAtMs === null || queuedAtMs === null ? null : firstPartAtMs - queuedAtMs,
    ...faults,
    metadata: {
      ...(messageId !== null && { message_id: messageId }),
      ...(answerId !== undefined && firstPartAtMs !== null && { [ANSWER_ID]: answerId }),
    },
    atMs,
  };
  if (outcome.kind === 'failed') return { ...shared, failure: failureCode(outcome.stage, outcome.cause) };
  const { record, state, hasChangedState } = outcome;
  return {
    ...shared,
    intents: record.intents,
    metrics: record.metrics,
    entities: record.entities,
    // Set by the agent when it has no answer to a question.
    isOod:
      [record.metrics['out_of_domain']].flat().includes(true) || record.intents.includes('out_of_domain'),
    contextState: hasChangedState ? publicState(state) : undefined,
  };
}

/** Records a turn whose answer was interrupted by a crash. */
export function recordInterruptedTurn(
  turn: {
    readonly input: RecordedInput;
    readonly messageId: string;
    readonly answerText: string;
    readonly startedAtMs: number | null;
  },
  atMs: number,
): ConversationTurn {
  const { input, answerText, startedAtMs } = turn;
  const outcome = {
    kind: 'failed',
    stage: 'streaming',
    text: '',
    cause: null,
    faults: { apiErrors: 0, functionErrors: 0 },
    answerText,
    messageId: turn.messageId,
    firstPartAtMs: startedAtMs,
  } as const;
  return { ...recordTurn(input, outcome, atMs), failure: 'interrupted' };
}

/** Returns the reason for a handoff, as a sentence if the agent gave one. */
export function whyOf({ why, reason }: HandoffAction): string {
  return why?.trim() || reason;
}

/**
 * Records the agent's decision to hand off; its logic may set the shared id in `data` (HS-2). Source: `rest.md`,
 * section 14.
 */
export function recordHandoff(action: HandoffAction, atMs: number): ConversationHandoff {
  const { destination, data } = action;
  const sharedId = data?.['shared_id'];
  return {
    atMs,
    reason: whyOf(action),
    destination,
    data,
    ...(typeof sharedId === 'string' && { sharedId }),
  };
}

/** Records that the agent answers again after a failed handoff; `record` holds the same commit's other changes. */
export function recordReturn(
  { conversationId }: Pick<StoredSession, 'conversationId'>,
  record: ConversationChange | undefined,
): ConversationChange | undefined {
  return conversationId === null ? record : { ...record, id: conversationId, isAgentBack: true };
}

/** Records that a person joined the conversation; undefined if none did. */
export function recordPerson(
  { conversationId }: Pick<StoredSession, 'conversationId'>,
  atMs: number,
): ConversationChange | undefined {
  return conversationId === null ? undefined : { id: conversationId, personAtMs: atMs };
}

/**
 * The end of a session's conversation, together with what the same commit adds besides; undefined when it never had one.
 */
export function recordEnd(
  { conversationId }: Pick<StoredSession, 'conversationId'>,
  reason: SessionEndReason,
  atMs: number,
  record: ConversationChange | undefined,
): ConversationChange | undefined {
  const end = { atMs, reason: END_REASONS[reason] };
  return conversationId === null ? undefined : { ...record, id: conversationId, end };
}

const END_REASONS: Readonly<Record<SessionEndReason, ConversationEndReason>> = {
  REASON_USER_END: 'user',
  REASON_NATURAL_END: 'agent',
  REASON_USER_ABANDONED: 'timed_out',
};

function failureCode(stage: AgentFailureStage, cause: unknown): string {
  return isAgentError(cause) ? cause.code : stage === 'joining' ? 'not_joined' : 'unavailable';
}
