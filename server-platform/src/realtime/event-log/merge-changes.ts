import type { ConversationChange } from './conversation-change.ts';

/** Two changes of one conversation as one; `later` follows `earlier` and is no new start. */
export function mergeChanges(earlier: ConversationChange, later: ConversationChange): ConversationChange {
  return {
    id: earlier.id,
    start: earlier.start,
    turns: [...(earlier.turns ?? []), ...(later.turns ?? [])],
    language: later.language ?? earlier.language,
    // A later hand-off stands, with the shared id of the one before where it has none.
    handoff:
      later.handoff === undefined
        ? earlier.handoff
        : { ...later.handoff, sharedId: later.handoff.sharedId ?? earlier.handoff?.sharedId },
    // A hand-off after a return stands, and a return after a hand-off.
    isAgentBack: later.handoff === undefined ? (later.isAgentBack ?? earlier.isAgentBack) : later.isAgentBack,
    personAtMs: earlier.personAtMs ?? later.personAtMs,
    end: earlier.end ?? later.end,
  };
}
