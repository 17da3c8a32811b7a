import * as v from 'valibot';

/** What a step is about. */
export const STEP_KINDS = [
  /** A handshake that was refused. */
  'handshake',
  /** A socket opened or closed. */
  'socket',
  /** Frames that a socket received. */
  'in',
  /** Frames that a socket was sent. */
  'out',
  /** Events of the log, or a commit without one. */
  'stored',
  'turn',
  /** Which node writes the session. */
  'owner',
  'error',
  'end',
] as const;

const stepView = v.pipe(
  v.object({
    at: v.string(),
    /** Of the last of several equal steps; null: it is one. */
    until: v.nullable(v.string()),
    kind: v.picklist(STEP_KINDS),
    summary: v.string(),
    /** The node that knows of it; null: it is stored. */
    node: v.nullable(v.string()),
    /** The text; null: none, or texts were not requested. */
    text: v.nullable(v.string()),
  }),
  v.metadata({ name: 'ConversationStep' }),
);

/** One conversation's life in order, as the command line and the console show it. */
export const lifeView = v.object({
  /** Null: it was held without a socket. */
  session: v.nullable(
    v.object({
      id: v.string(),
      state: v.string(),
      created_at: v.string(),
      ended_at: v.nullable(v.string()),
      /** The node that writes it, as stored; null: none does. */
      owner: v.nullable(v.string()),
      epoch: v.number(),
      /** Of its spans; null: the request that created it was not traced. */
      trace_id: v.nullable(v.string()),
    }),
  ),
  /** Null: none began. */
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
  /** Sequence after which the log continues; null: these were all steps. */
  next_after: v.nullable(v.number()),
});

/** See {@link lifeView}. */
export type Life = v.InferOutput<typeof lifeView>;

/** A step before its times are written. */
export interface Step {
  readonly atMs: number;
  readonly untilMs: number | null;
  readonly kind: (typeof STEP_KINDS)[number];
  readonly summary: string;
  readonly node: string | null;
  readonly text: string | null;
  /** Of steps at the same time, the lower one is first. */
  readonly rank: number;
}
