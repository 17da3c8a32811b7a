import { SYSTEM_TEXTS } from 'natter/protocol';

const MESSAGE_ID = 'msg_36997b3bc6a34e14bf4242c5abf16ca2';
// The platform accepts frames of up to 131,072 bytes.
const TOO_LONG = 131_072;

const frame = (name: string, payload: object = {}, metadata?: object): string =>
  JSON.stringify({ type: `EVENT_TYPE_${name}`, payload, ...(metadata && { metadata }) }, null, 2);

/** Frames to send by hand: one of each type that a visitor sends, and some that the platform refuses. */
export const SENT_FRAMES: Readonly<Record<string, string>> = {
  'Message (USER_MESSAGE)': frame(
    'USER_MESSAGE',
    { text: 'When does the last ferry leave?' },
    { custom: { client_event_id: 'by-hand-1' } },
  ),
  'Request the agent (REQUEST_AGENT_JOIN)': frame('REQUEST_AGENT_JOIN'),
  'Typing (USER_TYPING)': frame('USER_TYPING', { state: 'TYPING_STATE_STARTED' }),
  'End (USER_END_SESSION)': frame('USER_END_SESSION'),
  'Heartbeat (HEARTBEAT)': frame('HEARTBEAT'),
  'Survey (CSAT_RESPONSE)': frame('CSAT_RESPONSE', { survey_id: 'survey_1', score: 5, skipped: false }),
  'Receipt (USER_RECEIVED_MESSAGE)': frame('USER_RECEIVED_MESSAGE', { message_id: MESSAGE_ID }),
  'Read (USER_READ_MESSAGE)': frame('USER_READ_MESSAGE', { message_id: MESSAGE_ID }),
  'Withdraw the hand-off (X_CANCEL_HANDOFF)': frame('X_CANCEL_HANDOFF'),
  'Feedback (X_FEEDBACK)': frame('X_FEEDBACK', { message_id: MESSAGE_ID, rating: 'down', reason: 'wrong' }),
  'Stop the answer (X_STOP_RESPONSE)': frame('X_STOP_RESPONSE', { message_id: MESSAGE_ID }),
  'A type that is not allowed': frame('AGENT_MESSAGE', { text: 'I am the agent' }),
  'An unknown type': frame('TELEPORT'),
  'No JSON': '{"type": "EVENT_TYPE_USER_MESSAGE", ',
  'Too large': frame('USER_MESSAGE', { text: 'x'.repeat(TOO_LONG) }),
};

/** A frame of the platform outside the history. */
const received = (name: string, payload: object): string =>
  JSON.stringify({
    id: crypto.randomUUID(),
    type: `EVENT_TYPE_${name}`,
    sequence: null,
    timestamp: new Date().toISOString(),
    payload,
  });

const errors = Object.entries({
  ...SYSTEM_TEXTS,
  notAllowed: SYSTEM_TEXTS.notAllowed('EVENT_TYPE_TELEPORT'),
}) as readonly (readonly [string, string])[];

/** The platform's error messages: every text of the specification, and a failed hand-off. */
export const RECEIVED_FAULTS: Readonly<Record<string, () => string>> = {
  ...Object.fromEntries(
    errors.map(([, message]) => [
      message,
      () => received('SYSTEM_MESSAGE', { level: 'SYSTEM_MESSAGE_LEVEL_ERROR', message }),
    ]),
  ),
  'A hand-off that has failed (HANDOFF_FAILED)': () => received('HANDOFF_FAILED', { reason: 'no_agents' }),
};
