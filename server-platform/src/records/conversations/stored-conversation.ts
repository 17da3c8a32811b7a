/**
 * A turn as stored. Fields that are only passed on are JSON text of the database: a page has thousands of turns, and to
 * read and write them again would take longer than all else. Times are digits, flags `t` or `f`; null is empty.
 */
export interface StoredTurn {
  readonly userInput: string;
  readonly userInputDtmf: string;
  readonly userInputAt: string;
  readonly bargeIn: string;
  readonly agentResponse: string;
  readonly agentResponseAt: string;
  readonly intents: string;
  readonly entities: string;
  readonly isOod: string;
  readonly isSilence: string;
  readonly translatedUserInput: string;
  readonly englishAgentResponse: string;
  readonly latencyMs: string;
  readonly metrics: string;
  readonly contextState: string;
  readonly metadata: string;
  readonly recordedAt: string;
}

/** A conversation as stored, without its turns. Texts are JSON, as in a turn. */
export interface StoredHead {
  readonly id: string;
  readonly projectId: string;
  readonly variantId: string;
  readonly variantName: string;
  readonly environment: string;
  readonly channel: string;
  readonly language: string;
  readonly fromNumber: string;
  readonly toNumber: string;
  readonly startedAtMs: number;
  readonly endedAtMs: number | null;
  readonly isHandedOff: boolean;
  readonly handoffReason: string;
  readonly handoffDestination: string;
  readonly agentLeftAtMs: number | null;
  readonly numTurns: string;
  readonly numSilences: string;
  readonly numOod: string;
}

/** Fields of a turn that a record's summary fields are computed from. */
export interface TurnSummary {
  /** When the user spoke, or else the agent answered, or else the turn was recorded: digits. */
  readonly at: string;
  /** JSON. */
  readonly metrics: string;
}

/** A conversation as it is read: at most one piece of its turns at a time. */
export interface StoredConversation extends StoredHead {
  /** Of all turns, or of the first ones if there are too many. */
  readonly summaries: readonly TurnSummary[];
  /** Whether not all summaries fit. */
  readonly hasMoreSummaries: boolean;
  /** The variables after the last turn. */
  readonly state: string;
  /** The turns in order, piece by piece. */
  readonly pages: AsyncIterable<readonly StoredTurn[]> | Iterable<readonly StoredTurn[]>;
}
