import * as v from 'valibot';

/** Kinds of steps. */
export const STEP_KINDS = [
  /** A handshake that was refused. */
  'handshake',
  /** A socket opened or closed. */
  'socket',
  /** Frames that a socket received. */
  'in',
  /** Frames sent to a socket. */
  'out',
  /** Events of the log, or a commit without one. */
  'stored',
  'turn',
  /** A change of the owner node. */
  'owner',
  'error',
  'end',
] as const;

const stepView = v.pipe(
  v.object({
    at: v.string(),
    /** Time of the last of several equal steps; null for a single step. */
    until: v.nullable(v.string()),
    kind: v.picklist(STEP_KINDS),
    summary: v.string(),
    /** The node that reported it; null: it is stored. */
    node: v.nullable(v.string()),
    /** The text; null: none, or texts were not requested. */
    text: v.nullable(v.string()),
  }),
  v.metadata({ name: 'ConversationStep' }),
);

/** The timeline of one conversation, as shown by the command line and the console. */
export const timelineSchema = v.object({
  /** Null: the conversation had no socket. */
  session: v.nullable(
    v.object({
      id: v.string(),
      state: v.string(),
      created_at: v.string(),
      ended_at: v.nullable(v.string()),
      /** The stored owner node; null: none. */
      owner: v.nullable(v.string()),
      epoch: v.number(),
      /** Trace id of its spans; null: the request that created it was not traced. */
      trace_id: v.nullable(v.string()),
    }),
  ),
  /** Null: no conversation started. */
  conversation: v.nullable(
    v.object({
      id: v.string(),
      project: v.string(),
      channel: v.string(),
      started_at: v.string(),
      ended_at: v.nullable(v.string()),
      end_reason: v.nullable(v.string()),
      num_turns: v.number(),
    }),
  ),
  steps: v.array(stepView),
  /** The missing parts, with their reasons. */
  notes: v.array(v.string()),
  /** Sequence after which the log continues; null at its end. */
  next_after: v.nullable(v.number()),
});

/** See {@link timelineSchema}. */
export type Timeline = v.InferOutput<typeof timelineSchema>;

/** A step before its times are formatted. */
export interface Step {
  readonly atMs: number;
  readonly untilMs: number | null;
  readonly kind: (typeof STEP_KINDS)[number];
  readonly summary: string;
  readonly node: string | null;
  readonly text: string | null;
  /** Order of steps at the same time, lowest first. */
  readonly rank: number;
}
