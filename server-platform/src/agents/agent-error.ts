import { SYSTEM_TEXTS } from 'natter/protocol';

/**
 * Why an agent could not answer:
 * - `overloaded`: it refuses work for now (429, 503 with a wait longer than allowed).
 * - `unavailable`: it could not be reached, or its response was not an answer.
 * - `broken_stream`: the answer started and then ended early or became unreadable.
 * - `timeout`: it did not start, stopped sending or took too long.
 */
export type AgentErrorCode = 'overloaded' | 'unavailable' | 'broken_stream' | 'timeout';

const CODES: ReadonlySet<unknown> = new Set<AgentErrorCode>([
  'overloaded',
  'unavailable',
  'broken_stream',
  'timeout',
]);

/**
 * An agent's failure. `message` is for the operator's log: it says what happened and what to do next, and never holds
 * keys, prompts or message text. Recognise it with {@link isAgentError}.
 */
export class AgentError extends Error {
  override readonly name = 'AgentError';
  readonly code: AgentErrorCode;
  /** True when the same turn may succeed later with an unchanged configuration. */
  readonly retryable: boolean;

  constructor(code: AgentErrorCode, message: string, options: { retryable: boolean; cause?: unknown }) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.retryable = options.retryable;
  }
}

/** Whether a caught value is an {@link AgentError}, including one from another copy of this module. */
export function isAgentError(value: unknown): value is AgentError {
  return value instanceof Error && value.name === 'AgentError' && 'code' in value && CODES.has(value.code);
}

/**
 * How far the turn was when it failed:
 * - `joining`: the conversation could not be started; there was no AGENT_JOINED yet.
 * - `before_answer`: no piece of the answer was sent.
 * - `streaming`: at least one piece was sent; its stream gets no final chunk (STR-3).
 */
export type AgentFailureStage = 'joining' | 'before_answer' | 'streaming';

/**
 * The exact system message of `messaging.md` 12.1 for a failed turn, at level ERROR.
 *
 * @example
 * systemTextForAgentFailure(isAgentError(error) ? error.code : 'unavailable', 'before_answer');
 */
export function systemTextForAgentFailure(code: AgentErrorCode, stage: AgentFailureStage): string {
  // JOIN-4 defines a single text, which clients match to recover (REC-1).
  if (stage === 'joining') return SYSTEM_TEXTS.joinFailed;
  // STR-3 covers every cause after the first part was shown.
  if (stage === 'streaming') return SYSTEM_TEXTS.streamBroken;
  switch (code) {
    case 'overloaded':
      return SYSTEM_TEXTS.overloaded;
    case 'broken_stream':
      return SYSTEM_TEXTS.streamBroken;
    case 'unavailable':
    case 'timeout':
      return SYSTEM_TEXTS.noReply;
  }
}
