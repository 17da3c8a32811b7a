import type { ReceivedType } from './received-events.ts';
import type { SentType } from './sent-events.ts';

/** A frame as on the wire. */
export type ExampleFrame = Readonly<Record<string, unknown>>;

const draft = { custom: { client_event_id: 'draft-1' } };
const message_id = 'msg_36997b3bc6a34e14bf4242c5abf16ca2';
const survey_id = 'survey_219417b0f39a46dea55dee7758e36967';

/** One frame of each type that clients send; the tests send them to a running platform. */
export const SENT_EXAMPLES: Readonly<Record<SentType, ExampleFrame>> = {
  EVENT_TYPE_REQUEST_AGENT_JOIN: { type: 'EVENT_TYPE_REQUEST_AGENT_JOIN', payload: {} },
  EVENT_TYPE_USER_MESSAGE: {
    type: 'EVENT_TYPE_USER_MESSAGE',
    payload: { text: 'When does the last ferry leave?' },
    metadata: draft,
  },
  EVENT_TYPE_USER_TYPING: { type: 'EVENT_TYPE_USER_TYPING', payload: { state: 'TYPING_STATE_STARTED' } },
  EVENT_TYPE_USER_END_SESSION: { type: 'EVENT_TYPE_USER_END_SESSION', payload: {} },
  EVENT_TYPE_HEARTBEAT: { type: 'EVENT_TYPE_HEARTBEAT', payload: {} },
  EVENT_TYPE_CSAT_RESPONSE: {
    type: 'EVENT_TYPE_CSAT_RESPONSE',
    payload: { survey_id, score: 5, skipped: false },
  },
  EVENT_TYPE_USER_RECEIVED_MESSAGE: { type: 'EVENT_TYPE_USER_RECEIVED_MESSAGE', payload: { message_id } },
  EVENT_TYPE_USER_READ_MESSAGE: { type: 'EVENT_TYPE_USER_READ_MESSAGE', payload: { message_id } },
  EVENT_TYPE_X_CANCEL_HANDOFF: { type: 'EVENT_TYPE_X_CANCEL_HANDOFF', payload: {} },
  EVENT_TYPE_X_FEEDBACK: {
    type: 'EVENT_TYPE_X_FEEDBACK',
    payload: { message_id, rating: 'down', reason: 'The sailing at 9:20 is missing.' },
  },
  EVENT_TYPE_X_STOP_RESPONSE: { type: 'EVENT_TYPE_X_STOP_RESPONSE', payload: { message_id } },
};

const richContent = {
  attachments: [
    {
      content_type: 'ATTACHMENT_CONTENT_TYPE_URL',
      content_url: 'https://example.com/timetable',
      title: 'Timetable',
      preview_image_url: 'https://example.com/timetable.png',
      call_to_action_text: 'Open',
    },
  ],
  response_suggestions: [{ message_text: 'And on Sundays?' }],
};
const chat_call_actions = [{ title: 'Call the harbour', contact_number: '+44 1632 960001' }];
const person = { agent_id: 'agent-7', agent_name: 'Sam' };
const avatar_url = 'https://example.com/sam.png';

/** Sequence and payload of one event of each type that the platform sends. */
const RECEIVED: Readonly<Record<ReceivedType, readonly [number | null, object]>> = {
  EVENT_TYPE_EVENT_BATCH: [null, { events: [], has_more: false, last_sequence: 1 }],
  EVENT_TYPE_SESSION_START: [
    1,
    {
      capabilities: {
        streaming: false,
        max_message_size_bytes: 131_072,
        max_reconnect_attempts: 5,
        heartbeat_interval_seconds: 30,
        extensions: ['cancel_handoff', 'feedback', 'stop', 'survey_comment'],
      },
      context_id: 'ctx_9ptkH3Kpbrqof_vfuQ5QVYoV9-qgqqRt',
    },
  ],
  EVENT_TYPE_REQUEST_AGENT_JOIN: [2, {}],
  EVENT_TYPE_AGENT_JOINED: [3, { agent_name: 'Ada', agent_avatar_url: 'https://example.com/ada.png' }],
  EVENT_TYPE_AGENT_THINKING: [null, {}],
  EVENT_TYPE_USER_MESSAGE: [5, { text: 'When does the last ferry leave?', message_id }],
  EVENT_TYPE_AGENT_MESSAGE: [
    6,
    {
      message_id,
      text: 'The last ferry leaves at **22:40**.',
      ...richContent,
      chat_call_actions,
      agent_name: 'Ada',
      avatar_url: 'https://example.com/ada.png',
      end_conversation: false,
    },
  ],
  EVENT_TYPE_AGENT_MESSAGE_CHUNK: [
    6,
    {
      message_id,
      text: 'The last ferry leaves at **22:40**.',
      ...richContent,
      chunk_index: 1,
      is_complete: true,
      chat_call_actions,
      end_conversation: false,
    },
  ],
  EVENT_TYPE_LANGUAGE_CHANGED: [8, { language_code: 'fr' }],
  EVENT_TYPE_AGENT_TRIGGERED_HANDOFF: [12, {}],
  EVENT_TYPE_AGENT_LEFT: [13, {}],
  EVENT_TYPE_HANDOFF_ACCEPTED: [14, { queue_name: 'Bookings' }],
  EVENT_TYPE_HANDOFF_QUEUE_STATUS: [
    null,
    {
      queue_name: 'Bookings',
      position_in_queue: 2,
      estimated_wait_seconds: 90,
      display_message: 'Two visitors are before you.',
    },
  ],
  EVENT_TYPE_LIVE_AGENT_JOINED: [16, { agent: { id: 'agent-7', name: 'Sam', avatar_url } }],
  EVENT_TYPE_LIVE_AGENT_TYPING: [null, { state: 'TYPING_STATE_STARTED', ...person }],
  EVENT_TYPE_LIVE_AGENT_MESSAGE: [
    17,
    {
      message_id,
      text: 'Hello, I am Sam. Which booking is it?',
      attachments: [],
      response_suggestions: [{ message_text: 'KF-48213' }],
      ...person,
      avatar_url,
    },
  ],
  EVENT_TYPE_LIVE_AGENT_LEFT: [19, { ...person, reason: 'solved' }],
  EVENT_TYPE_CLIENT_HANDOFF_REQUIRED: [
    9,
    { reason: 'COMPLEX_QUERY', queue_name: 'Bookings', route: 'tel:+441632960001' },
  ],
  EVENT_TYPE_HANDOFF_FAILED: [9, {}],
  EVENT_TYPE_HANDOFF_TIMEOUT: [15, {}],
  EVENT_TYPE_SYSTEM_MESSAGE: [
    8,
    {
      level: 'SYSTEM_MESSAGE_LEVEL_ERROR',
      message: 'Sorry, we could not connect you to an agent. Please try again.',
    },
  ],
  EVENT_TYPE_HEARTBEAT: [null, {}],
  EVENT_TYPE_SESSION_IDLE_WARNING: [null, { seconds_remaining: 60 }],
  EVENT_TYPE_SHOW_CSAT_REQUEST: [
    9,
    {
      survey_id,
      title: 'Rate your chat',
      question: 'How would you rate your experience?',
      scale_min: 1,
      scale_max: 5,
    },
  ],
  EVENT_TYPE_CSAT_RESPONSE: [10, { survey_id, score: 5, skipped: false }],
  EVENT_TYPE_USER_END_SESSION: [17, {}],
  EVENT_TYPE_SESSION_END: [18, { reason: 'REASON_USER_END' }],
  EVENT_TYPE_X_FEEDBACK: [8, { message_id, rating: 'down', reason: 'The sailing at 9:20 is missing.' }],
};

/** One frame of each type that the platform sends; the tests compare them with the frames of a running platform. */
export function receivedExample(type: ReceivedType): ExampleFrame {
  const [sequence, payload] = RECEIVED[type];
  // The history contains the session's first event, which every batch begins with (RPL-2).
  const history =
    type === 'EVENT_TYPE_EVENT_BATCH' ? { events: [receivedExample('EVENT_TYPE_SESSION_START')] } : {};
  return {
    id: `01a209b7-79de-72d0-a960-${String(Object.keys(RECEIVED).indexOf(type)).padStart(12, '0')}`,
    sequence,
    timestamp: '2026-03-02T09:15:00.000Z',
    type,
    payload: { ...payload, ...history },
    ...(type === 'EVENT_TYPE_USER_MESSAGE' && { metadata: draft }),
  };
}
