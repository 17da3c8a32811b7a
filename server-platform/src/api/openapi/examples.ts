import type { WebhookEvent } from '@natter/sdk';

/** Example of a request and its response. */
export interface OperationExample {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  /** JSON body. */
  readonly body?: unknown;
  /** Bodies of other media types. */
  readonly otherBodies?: Readonly<Record<string, unknown>>;
  /** Body of a successful response. */
  readonly answer?: unknown;
}

// The tests start a platform with this account and agent, whose responses must equal the examples.
const CONVERSATION_ID = 'CONV-01JNB8Q2W6Q3V7X4Z9B5C1D0EF';
const RULE_ID = 'ar_7Kq2mZp9Xw4Lr8Tn3Vb5Hc';
const ENDPOINT_ID = 'whe_2Fh6Ty9Kd4Wm8Qs1Zx5Bn7';
const EVENT_ID = 'evt_01JNG2V6W9Q3T8X4Z7B5C1D0EF';
const BEFORE = '2025-01-01T00:00:00Z';
const STARTED_AT = '2026-07-01T09:20:00Z';
const project = { account_id: 'kittiwake', project_id: 'web' };
const projectIds = { account_id: 'ACCOUNT-3feeb3bea7563a70bcfa', project_id: 'PROJECT-5abaf1c8702e376d89b5' };
const chat = { version: 'v3', ...project };
const integration_attributes = { shared_id: 'C-1042' };

const turn = {
  user_input: 'When does the last ferry leave?',
  user_input_dtmf: '',
  user_input_datetime: '2026-07-01T09:20:04Z',
  barge_in: false,
  agent_response: 'The last ferry leaves at **22:40**.',
  agent_response_datetime: '2026-07-01T09:20:05Z',
  intents: [],
  entities: {},
  is_ood: false,
  is_silence: false,
  translated_user_input: '',
  english_agent_response: '',
};
const greeting = {
  ...turn,
  user_input: '',
  user_input_datetime: '',
  agent_response: 'Hello, I am Ada. How can I help?',
};
const turns = [greeting, turn];

const conversation = {
  id: CONVERSATION_ID,
  ...projectIds,
  variant_id: '',
  variant_name: '',
  environment: 'live',
  started_at: STARTED_AT,
  channel: 'WEBCHAT',
  in_progress: false,
  from_number: '',
  to_number: '',
  num_turns: 2,
  total_duration: 42,
  platform_duration: 42,
  handoff: false,
  handoff_reason: '',
  handoff_destination: '',
  num_silences: 0,
  num_ood: 0,
  metrics: { CALL_DURATION: '42', CALL_TURN: [STARTED_AT, '2026-07-01T09:20:04Z'] },
  state: { integration_attributes },
  turns,
};
// v1 has null for an empty text, and no translations (4.3).
const emptyToNull = (fields: object): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, value === '' ? null : value]));
const oldConversation = {
  ...emptyToNull(conversation),
  turns: turns.map(({ translated_user_input, english_agent_response, ...old }) => emptyToNull(old)),
};

// One of the lines that describe the fields.
const descriptions = { conversations: { id: 'Conversation id.' } };
const list = { path: project, query: { start_time: BEFORE, channel: ['webchat'], limit: 5 } };

const ruleBody = {
  name: 'Slow answers',
  metric: 'turn_latency_p95',
  operator: '>',
  threshold_value: 2000,
  window_duration: '10m',
  enabled: true,
};
const rule = {
  id: RULE_ID,
  ...ruleBody,
  project_id: null,
  current_state: 'ok',
  since: null,
  last_evaluated_at: null,
  current_value: null,
  created_at: STARTED_AT,
  updated_at: STARTED_AT,
};
const oneRule = { path: { rule_id: RULE_ID } };

const endpointBody = {
  name: 'On-call',
  url: 'https://hooks.example.com/natter',
  event_types: ['alerts.triggered', 'alerts.resolved'],
  headers: { 'X-Team': 'web' },
  timeout_ms: 5000,
  enabled: true,
};
const endpoint = { id: ENDPOINT_ID, ...endpointBody, created_at: STARTED_AT, updated_at: STARTED_AT };
const oneEndpoint = { path: { endpoint_id: ENDPOINT_ID } };
const secret = { signing_secret: 'whs_3q2-7w_Zx9KkP4mNvB8sTtYhLr0EoUiCdFgAaQwXyZ1' };

/** An example for every operation, by its id. */
export const EXAMPLES: Readonly<Record<string, OperationExample>> = {
  chatCreate: {
    path: chat,
    body: { channel: 'webchat', integration_attributes },
    answer: { conversation_id: CONVERSATION_ID, response: greeting.agent_response },
  },
  chatRespond: {
    path: chat,
    body: { conversation_id: CONVERSATION_ID, message: turn.user_input },
    answer: { conversation_id: CONVERSATION_ID, response: turn.agent_response, end_conversation: false },
  },
  chatClose: { path: chat, body: { conversation_id: CONVERSATION_ID }, answer: { success: true } },
  conversationsListV1: { ...list, answer: { conversations: [oldConversation], descriptions } },
  conversationsListV2: { ...list, answer: { conversations: [conversation], descriptions } },
  conversationsListV3: {
    ...list,
    answer: { conversations: [conversation], descriptions, cursor: null },
  },
  conversationGet: {
    path: { agentId: 'web', conversationId: CONVERSATION_ID },
    answer: {
      conversationId: CONVERSATION_ID,
      accountId: projectIds.account_id,
      projectId: projectIds.project_id,
      createdAt: STARTED_AT,
      startedAt: STARTED_AT,
      finishedAt: '2026-07-01T09:20:42Z',
      channel: 'WEBCHAT',
      fromNumber: '',
      toNumber: '',
      language: 'en',
      variantId: '',
      clientEnv: 'live',
      totalDuration: 42,
      platformDuration: 42,
      duration: 42,
      inProgress: false,
      handoff: false,
      direction: 'inbound',
      turns: turns.map((each) => ({ ...each, latency: 0.015 })),
      metrics: conversation.metrics,
    },
  },
  concurrencyGet: {
    path: project,
    query: { start_time: '2025-01-01T09:00:00Z', end_time: '2025-01-01T09:05:00Z' },
    answer: {
      ...projectIds,
      intervals: [{ time: '2025-01-01T09:00:00Z', max_concurrent_conversations: 0 }],
    },
  },
  externalEventSend: {
    query: { event_id_location: 'payload', event_id_path: 'payment.id', ...project },
    body: { payment: { id: EVENT_ID, status: 'paid' } },
    otherBodies: {
      'application/x-www-form-urlencoded': { 'payment.id': EVENT_ID, status: 'paid' },
      'application/xml': `<payment><id>${EVENT_ID}</id></payment>`,
      'text/plain': `payment.id=${EVENT_ID}`,
    },
  },
  numberReserve: {
    body: { attributes: { shared_id: 'C-1042', page: '/timetable' } },
    answer: { dni: '+441632960001' },
  },
  voiceGenerateAudio: {
    path: { agentId: 'web' },
    body: { text: 'The last ferry has left.', language: 'en-GB', config: {} },
    answer: {
      url: 'https://platform.example.com/audio/1772443500-zj5QqRTffnbUnqUM.wav?signature=V8KTY3Ej',
      text: 'The last ferry has left.',
    },
  },
  alertRulesList: { query: { enabled: true }, answer: { data: [rule] } },
  alertRuleCreate: { body: ruleBody, answer: rule },
  alertRuleGet: { ...oneRule, answer: rule },
  alertRuleUpdate: {
    ...oneRule,
    body: { threshold_value: 3000 },
    answer: { ...rule, threshold_value: 3000 },
  },
  alertRuleDelete: oneRule,
  alertsList: {
    query: { metric: 'call_volume' },
    answer: {
      data: [
        {
          alert_rule_id: RULE_ID,
          name: 'Many calls',
          project_id: null,
          metric: 'call_volume',
          operator: '>',
          threshold_value: 0,
          window_duration: '60m',
          since: STARTED_AT,
          last_evaluated_at: STARTED_AT,
          current_value: 1,
        },
      ],
    },
  },
  webhookEndpointsList: { query: { enabled: true }, answer: { data: [endpoint] } },
  webhookEndpointCreate: { body: endpointBody, answer: { ...endpoint, ...secret } },
  webhookEndpointGet: { ...oneEndpoint, answer: endpoint },
  webhookEndpointUpdate: {
    ...oneEndpoint,
    body: { enabled: false },
    answer: { ...endpoint, enabled: false },
  },
  webhookEndpointDelete: oneEndpoint,
  webhookSecretRotate: { ...oneEndpoint, answer: secret },
  handoffGet: {
    path: project,
    query: { shared_id: 'C-1042' },
    answer: {
      id: CONVERSATION_ID,
      shared_id: 'C-1042',
      data: { handoff_reason: 'COMPLEX_QUERY', handoff_destination: 'Bookings', booking: 'KF-48213' },
    },
  },
  erase: {
    path: project,
    body: { conversation_id: CONVERSATION_ID },
    answer: {
      erased: {
        sessions: 0,
        events: 0,
        turns: 0,
        conversations: 1,
        conversation_turns: 2,
        conversation_vectors: 0,
        conversation_users: 0,
        chats: 1,
        idempotent_answers: 0,
        desk_requests: 0,
        desk_notes: 0,
        desk_files: 0,
        contact_requests: 0,
        external_waits: 0,
        external_events: 0,
        phone_numbers: 1,
        webhook_deliveries: 0,
        stored_audio: 1,
      },
    },
  },
};

/** The body of a delivery. */
export const WEBHOOK_EXAMPLE: WebhookEvent = {
  event_type: 'alerts.triggered',
  alert: {
    id: RULE_ID,
    name: ruleBody.name,
    project_id: null,
    metric: 'turn_latency_p95',
    operator: '>',
    threshold_value: 2000,
    current_value: 2450,
    previous_state: 'ok',
    triggered_at: STARTED_AT,
  },
  event_id: '5f0c0c3e-6d0c-4a55-9a3e-2f4f1c3b7a10',
};
