import type { EventDraft } from './answer-writer.ts';

/** A SYSTEM_MESSAGE at ERROR level that is part of the history: agent and hand-off notices (5.5, 12.1). */
export function systemError(message: string, missingAgent?: string): EventDraft {
  return {
    type: 'EVENT_TYPE_SYSTEM_MESSAGE',
    payload: {
      level: 'SYSTEM_MESSAGE_LEVEL_ERROR',
      message,
      // Ours: for the doctor of the widget; readers ignore it.
      ...(missingAgent !== undefined && { missing_agent: missingAgent }),
    },
  };
}
