import type { Capabilities, ExtensionName } from '../../../protocol/index.ts';
import { LIMITS } from '../../../protocol/index.ts';
import type { QueueStatus, Speaker, Suggestion, Survey, TranscriptItem } from '../../chat-state.ts';
import { type AppendMap, createAppendMap } from './append-map.ts';
import { type Assembly, EMPTY_ASSEMBLY } from './assemble-chunks.ts';

/** One line of the transcript with the fields that position and replace it. */
export interface Entry {
  readonly item: TranscriptItem;
  /** Its position: the lowest sequence that spoke of it; the cursor of its arrival for transient ones. */
  readonly sequence: number;
  /** The sequence its content came with: a later event replaces an earlier one, however they arrive. */
  readonly contentSequence: number;
  /** What a message itself says about its author; the rest comes from the joins before it. */
  readonly author?: Speaker;
  readonly suggestions?: readonly Suggestion[];
}

/** A speaker joined, or a speaker of a kind left. */
export interface PresenceRecord {
  readonly sequence: number;
  readonly kind: Speaker['kind'];
  /** Null for one who left. */
  readonly speaker: Speaker | null;
}

/** Who ended the chat. Source: IND-2, IND-3. */
export interface Ended {
  readonly by: 'user' | 'agent' | 'inactivity' | 'platform';
  /** Only a later event reopens the chat. */
  readonly sequence: number;
}

/** Position of an event in the transcript. That of a message is the earliest of its events. */
export interface MessagePosition {
  /** Of a transient event the cursor of its arrival. */
  readonly sequence: number;
  readonly atMs: number;
}

/** Everything the events of one session have said so far. */
export interface Transcript {
  /** The highest sequence seen. Source: DUP-3. */
  readonly cursor: number;
  /** Ids of the events that were processed. Source: DUP-1. */
  readonly seen: AppendMap<string, true>;
  readonly arrivals: number;
  /** In display order. */
  readonly entries: readonly Entry[];
  /** During a batch: `entries` was created for it and is not published yet, so that it is not copied per event. */
  readonly isBatching: boolean;
  readonly assembly: Assembly;
  /** By message id: a message stays at the position of its first event. Source: DUP-5, ASM-14. */
  readonly positions: AppendMap<string, MessagePosition>;
  /** In order of sequence. */
  readonly presence: readonly PresenceRecord[];
  /** AGENT_JOINED is known for this session. Source: JOIN-1. */
  readonly hasAgentJoined: boolean;
  /** The agent that the platform does not have, for the operator; null where one has joined, or none was asked for. */
  readonly missingAgent: string | null;
  readonly ended: Ended | null;
  /** The highest sequence of an event that shows that the chat is open. Source: IND-2. */
  readonly lastActivitySequence: number;
  readonly typing: { readonly speaker: Speaker; readonly untilMs: number } | null;
  readonly queue: QueueStatus | null;
  readonly survey: Survey | null;
  readonly capabilities: Capabilities;
  /** Extensions that both ends have named for this session. Source: EXT-1. */
  readonly extensions: readonly ExtensionName[];
  /** A hand-off has begun, and no person has joined yet. */
  readonly isWaitingForPerson: boolean;
  /** What a verified-context token has to name; null where the project does without. Source: VCI-1. */
  readonly contextId: string | null;
  /** Agent messages finished since the view last looked. */
  readonly unread: number;
}

/** Assumed until the platform has sent its own. Source: messaging.md 10. */
const ASSUMED_CAPABILITIES: Capabilities = {
  streaming: false,
  max_message_size_bytes: LIMITS.maxClientFrameBytes,
  max_reconnect_attempts: null,
  heartbeat_interval_seconds: null,
};

/** A session of which nothing is known yet. Source: DUP-2. */
export const EMPTY_TRANSCRIPT: Transcript = {
  cursor: 0,
  seen: createAppendMap(),
  arrivals: 0,
  entries: [],
  isBatching: false,
  assembly: EMPTY_ASSEMBLY,
  positions: createAppendMap(),
  presence: [],
  hasAgentJoined: false,
  missingAgent: null,
  ended: null,
  lastActivitySequence: 0,
  typing: null,
  queue: null,
  survey: null,
  capabilities: ASSUMED_CAPABILITIES,
  extensions: [],
  isWaitingForPerson: false,
  contextId: null,
  unread: 0,
};
