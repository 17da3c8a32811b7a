import type { ConversationChange } from './conversation-change.ts';

/** Merges two changes of one conversation; `later` follows `earlier` and is not a new start. */
export function mergeChanges(earlier: ConversationChange, later: ConversationChange): ConversationChange {
  return {
    id: earlier.id,
    start: earlier.start,
    turns: [...(earlier.turns ?? []), ...(later.turns ?? [])],
    language: later.language ?? earlier.language,
    // The later handoff wins, but inherits a missing shared id.
    handoff:
      later.handoff === undefined
        ? earlier.handoff
        : { ...later.handoff, sharedId: later.handoff.sharedId ?? earlier.handoff?.sharedId },
    // The last of handoff and return wins.
    isAgentBack: later.handoff === undefined ? (later.isAgentBack ?? earlier.isAgentBack) : later.isAgentBack,
    personAtMs: earlier.personAtMs ?? later.personAtMs,
    end: earlier.end ?? later.end,
  };
}
