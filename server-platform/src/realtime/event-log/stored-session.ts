/** Session states of section 11. `ended` and `expired` are final. */
export type SessionState = 'created' | 'active' | 'handoff' | 'live' | 'ended' | 'expired';

/** State of the session's conversation (SYS-2). */
export type ConversationStatus = 'none' | 'running' | 'lost';

/** A session as stored. */
export type StoredSession = {
  readonly id: string;
  readonly connectorId: string;
  /** `sub` of the access token that created it; no other identity may attach (TOK-3). */
  readonly identity: string;
  readonly createdAtMs: number;
  readonly platform: string;
  readonly deviceType: string | null;
  readonly streaming: boolean;
  /** Vocabulary remembered from an earlier connection (V-5 c). */
  readonly vocabulary: 'neutral' | 'poly' | null;
  readonly state: SessionState;
  /** `CONV-…`, set by the first join. */
  readonly conversationId: string | null;
  readonly conversationStatus: ConversationStatus;
  /** State of the agent for its next turn. */
  readonly agentState: unknown;
  /** State of the handoff provider for continuing after a restart. */
  readonly handoff: unknown;
  readonly language: string | null;
  /** The session's variant of the project, fixed at creation (SES-3); empty: none. */
  readonly variantId: string;
  /** Unguessable; goes into SESSION_START when the project uses verified context (VCI-1). */
  readonly contextId: string;
  /** The verified context last submitted (VCI-8), or null. */
  readonly contextVault: Readonly<Record<string, string | number | boolean | null>> | null;
  readonly lastActivityMs: number;
  readonly endedAtMs: number | null;
  /** Header `traceparent` of the request that created it; `null` when that was not traced. */
  readonly traceParent: string | null;
  /** The highest sequence in the log. */
  readonly lastSequence: number;
  readonly ownerNode: string | null;
  readonly ownerEpoch: number;
};

/** Session fields that an append may set in its commit. Omitted fields stay unchanged. */
export type SessionPatch = {
  /** `ended` and `expired` also set `endedAtMs`, by default to the time of the request's last event. */
  readonly state?: SessionState | undefined;
  readonly conversationId?: string | undefined;
  readonly conversationStatus?: ConversationStatus | undefined;
  /** Any JSON value; `null` clears it. */
  readonly agentState?: unknown;
  /** Any JSON value; `null` clears it. */
  readonly handoff?: unknown;
  readonly language?: string | undefined;
  readonly vocabulary?: 'neutral' | 'poly' | undefined;
  readonly lastActivityMs?: number | undefined;
  readonly endedAtMs?: number | undefined;
};

/** A row of `sessions`. */
export type SessionRow = {
  readonly id: string;
  readonly connector_id: string;
  readonly identity: string;
  readonly created_at: number;
  readonly platform: string;
  readonly device_type: string | null;
  readonly streaming: boolean;
  readonly vocabulary: 'neutral' | 'poly' | null;
  readonly state: SessionState;
  readonly conversation_id: string | null;
  readonly conversation_status: ConversationStatus;
  readonly agent_state: unknown;
  readonly handoff: unknown;
  readonly language: string | null;
  readonly variant_id: string;
  readonly context_id: string;
  readonly context_vault: Readonly<Record<string, string | number | boolean | null>> | null;
  readonly last_activity: number;
  readonly ended_at: number | null;
  readonly trace_parent: string | null;
  readonly last_sequence: number;
  readonly owner_node: string | null;
  readonly owner_epoch: number;
};

/** The columns of {@link SessionRow}, for a select list. */
export const SESSION_COLUMNS: string = `id, connector_id, identity, created_at, platform, device_type, streaming,
  vocabulary, state, conversation_id, conversation_status, agent_state, handoff, language, variant_id, context_id, context_vault,
  last_activity, ended_at, trace_parent, last_sequence, owner_node, owner_epoch`;

/** Turns a row into the session. */
export function readSessionRow(row: SessionRow): StoredSession {
  return {
    id: row.id,
    connectorId: row.connector_id,
    identity: row.identity,
    createdAtMs: row.created_at,
    platform: row.platform,
    deviceType: row.device_type,
    streaming: row.streaming,
    vocabulary: row.vocabulary,
    state: row.state,
    conversationId: row.conversation_id,
    conversationStatus: row.conversation_status,
    agentState: row.agent_state,
    handoff: row.handoff,
    language: row.language,
    variantId: row.variant_id,
    contextId: row.context_id,
    contextVault: row.context_vault,
    lastActivityMs: row.last_activity,
    endedAtMs: row.ended_at,
    traceParent: row.trace_parent,
    lastSequence: row.last_sequence,
    ownerNode: row.owner_node,
    ownerEpoch: row.owner_epoch,
  };
}
