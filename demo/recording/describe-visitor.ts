import { fieldOf, readSteps } from './read-steps.ts';
import type { Recording } from './recording.ts';

/** Action of the visitor, by the type of its event. */
const DEEDS: Readonly<Record<string, string>> = {
  EVENT_TYPE_REQUEST_AGENT_JOIN: 'Opens the chat',
  EVENT_TYPE_USER_END_SESSION: 'Ends the chat',
  EVENT_TYPE_CSAT_RESPONSE: 'Answers the survey',
  EVENT_TYPE_X_FEEDBACK: 'Rates an answer',
  EVENT_TYPE_X_CANCEL_HANDOFF: 'Cancels the wait for a person',
  EVENT_TYPE_X_STOP_RESPONSE: 'Stops the answer',
};

/** Describes the visitor's actions in a recording in order, with one sentence each. */
export function describeVisitor(recording: Recording): readonly string[] {
  return readSteps(recording).flatMap((step) => {
    if (step.kind !== 'wait') return [];
    const text = fieldOf(step.sent['payload'], 'text');
    return [typeof text === 'string' ? `Writes: ${text}` : (DEEDS[step.type] ?? step.type)];
  });
}
