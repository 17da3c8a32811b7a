import * as v from 'valibot';

const facts = v.record(v.string(), v.unknown());

/** The pool of a project. */
export const numberListView = v.object({
  total: v.number(),
  reserved_total: v.number(),
  /** The first ones whose reservation runs out. */
  reserved: v.array(v.object({ number: v.string(), until: v.string(), attributes: facts })),
});

/** What conversations wait for. */
export const waitListView = v.object({
  waits: v.array(
    v.object({
      event_id: v.string(),
      conversation_id: v.string(),
      /** What the agent calls it. */
      name: v.string(),
      expires_at: v.string(),
    }),
  ),
});

export const eventSchema = v.object({
  event_id: v.pipe(v.string('must be a text'), v.nonEmpty('must not be empty')),
  json: facts,
});
