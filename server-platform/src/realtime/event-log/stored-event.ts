/** An event to be stored. The log assigns its sequence number. */
export type NewEvent = {
  /** UUID, made by the caller. */
  readonly id: string;
  /** Neutral type name (V-7), such as `EVENT_TYPE_USER_MESSAGE`. */
  readonly type: string;
  readonly payload: object;
  /** The client's map (MET-1), or null when it sent none. */
  readonly custom: Readonly<Record<string, string>> | null;
  /** The client's draft id (MET-4) of a user message: a second message with the same id is a duplicate (ECH-4). */
  readonly clientEventId?: string | null;
  readonly timestampMs: number;
};

/** An event as stored in the log. Has the shape of the protocol's outgoing event. */
export type StoredEvent = {
  readonly sessionId: string;
  /** From 1, without gaps. */
  readonly sequence: number;
  readonly id: string;
  readonly type: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly custom: Readonly<Record<string, string>> | null;
  readonly timestampMs: number;
};

/** A row of `events`. */
export type EventRow = {
  readonly session_id: string;
  readonly sequence: number;
  readonly id: string;
  readonly type: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly custom: Readonly<Record<string, string>> | null;
  readonly created_at: number;
};

/** The columns of {@link EventRow}, for a select list. */
export const EVENT_COLUMNS = 'session_id, sequence, id, type, payload, custom, created_at';

/** Turns a row into the event. */
export function readEventRow(row: EventRow): StoredEvent {
  return {
    sessionId: row.session_id,
    sequence: row.sequence,
    id: row.id,
    type: row.type,
    payload: row.payload,
    custom: row.custom,
    timestampMs: row.created_at,
  };
}
