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

/** Why a session is over. Source: messaging.md 8.6 to 8.8. */
export type SessionEndReason = 'REASON_USER_END' | 'REASON_NATURAL_END' | 'REASON_USER_ABANDONED';

/** The turn as its session knows it. */
export interface RecordedInput {
  readonly kind: ConversationTurn['kind'];
  readonly text: string;
  /** The user's message; null where there is none. */
  readonly messageId: string | null;
  readonly queuedAtMs: number | null;
  /** The visitor wrote it while an answer was streaming. */
  readonly bargesIn?: boolean;
}

/** The record of a turn's course, in any channel. */
export type RecordedOutcome = {
  /** The whole text of the answer; of a failed one, the text before the failure. */
  readonly answerText: string;
  /** Names the answer as its reader sees it; left out in channels whose answers have no names. */
  readonly messageId?: string;
  /** When the first part of the answer was there; `null` when nothing was said. */
  readonly firstPartAtMs: number | null;
  readonly faults: TurnFaults;
} & (
  | {
      readonly kind: 'answered';
      /** The visitor stopped the answer; left out in channels where none can be stopped. */
      readonly isStopped?: boolean;
      readonly record: TurnRecord;
      readonly state: Readonly<Record<string, unknown>>;
      readonly hasChangedState: boolean;
    }
  | { readonly kind: 'failed'; readonly stage: AgentFailureStage; readonly cause: unknown }
);

/** The begin of a session's conversation. Source: `rest.md`, 4.2. */
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

/** A turn as it went. Source: CV-15, CV-17. */
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
    // The agents' own mark of a question they had no answer to.
    isOod:
      [record.metrics['out_of_domain']].flat().includes(true) || record.intents.includes('out_of_domain'),
    contextState: hasChangedState ? publicState(state) : undefined,
  };
}

/** A turn whose answer broke off with the process that wrote it. */
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

/** Why the agent hands over, in its own words where it has some. */
export function whyOf({ why, reason }: HandoffAction): string {
  return why?.trim() || reason;
}

/** The agent's decision to hand off; its logic may set the shared id in `data` (HS-2). Source: `rest.md`, section 14. */
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

/** The agent answers again after a hand-off that did not come about; `record` is what the same commit adds besides. */
export function recordReturn(
  { conversationId }: Pick<StoredSession, 'conversationId'>,
  record: ConversationChange | undefined,
): ConversationChange | undefined {
  return conversationId === null ? record : { ...record, id: conversationId, isAgentBack: true };
}

/** A person has joined the conversation; undefined when there is none. */
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
