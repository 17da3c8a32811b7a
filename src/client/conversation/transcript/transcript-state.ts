import type { Capabilities, ExtensionName } from '../../../protocol/index.ts';
import { LIMITS } from '../../../protocol/index.ts';
import type { QueueStatus, Speaker, Suggestion, Survey, TranscriptItem } from '../../chat-state.ts';
import { type AppendMap, createAppendMap } from './append-map.ts';
import { type Assembly, EMPTY_ASSEMBLY } from './assemble-chunks.ts';

/** One line of the transcript with the fields that position and replace it. */
export interface Entry {
  readonly item: TranscriptItem;
  /** Its position: the lowest sequence of its events, or for transient ones the cursor at arrival. */
  readonly sequence: number;
  /** The sequence of its content: a later event replaces an earlier one, in any order of arrival. */
  readonly contentSequence: number;
  /** The message's own fields about its author; the others come from earlier joins. */
  readonly author?: Speaker;
  readonly suggestions?: readonly Suggestion[];
}

/** A speaker joined, or a speaker of a kind left. */
export interface PresenceRecord {
  readonly sequence: number;
  readonly kind: Speaker['kind'];
  /** Null for a speaker who left. */
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
  /** For a transient event the cursor at its arrival. */
  readonly sequence: number;
  readonly atMs: number;
}

/** State derived from the events of one session. */
export interface Transcript {
  /** The highest sequence seen. Source: DUP-3. */
  readonly cursor: number;
  /** Ids of the events that were processed. Source: DUP-1. */
  readonly seen: AppendMap<string, true>;
  readonly arrivals: number;
  /** In display order. */
  readonly entries: readonly Entry[];
  /** True during a batch: `entries` was created for it and is not published yet, so that it is not copied per event. */
  readonly isBatching: boolean;
  readonly assembly: Assembly;
  /** By message id, because a message stays at the position of its first event. Source: DUP-5, ASM-14. */
  readonly positions: AppendMap<string, MessagePosition>;
  /** In order of sequence. */
  readonly presence: readonly PresenceRecord[];
  /** AGENT_JOINED is known for this session. Source: JOIN-1. */
  readonly hasAgentJoined: boolean;
  /** The agent that the platform lacks, for the operator; null once one has joined, or if none was requested. */
  readonly missingAgent: string | null;
  readonly ended: Ended | null;
  /** The highest sequence of an event that shows that the chat is open. Source: IND-2. */
  readonly lastActivitySequence: number;
  readonly typing: { readonly speaker: Speaker; readonly untilMs: number } | null;
  readonly queue: QueueStatus | null;
  readonly survey: Survey | null;
  readonly capabilities: Capabilities;
  /** Extensions supported by both ends in this session. Source: EXT-1. */
  readonly extensions: readonly ExtensionName[];
  /** Whether a handoff has started and no person has joined yet. */
  readonly isWaitingForPerson: boolean;
  /** Context id for a verified-context token; null if the project does not use it. Source: VCI-1. */
  readonly contextId: string | null;
  /** Agent messages completed since the view last marked them as read. */
  readonly unread: number;
}

/** Assumed until the platform has sent its own. Source: messaging.md 10. */
const ASSUMED_CAPABILITIES: Capabilities = {
  streaming: false,
  max_message_size_bytes: LIMITS.maxClientFrameBytes,
  max_reconnect_attempts: null,
  heartbeat_interval_seconds: null,
};

/** The empty transcript of a new session. Source: DUP-2. */
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
