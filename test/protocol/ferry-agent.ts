import type { Agent, AgentAction, AgentTurn } from '@natter/platform';

const LAST_FERRY: readonly AgentAction[] = [
  { type: 'text', text: 'The last ferry leaves at **22:40**.' },
  {
    type: 'attachment',
    attachment: {
      content_type: 'ATTACHMENT_CONTENT_TYPE_URL',
      content_url: 'https://example.com/timetable',
      title: 'Timetable',
      preview_image_url: 'https://example.com/timetable.png',
      call_to_action_text: 'Open',
    },
  },
  { type: 'suggestions', suggestions: [{ message_text: 'And on Sundays?', payload: null }] },
  { type: 'call_action', callAction: { title: 'Call the harbour', contact_number: '+44 1632 960001' } },
];

const handoff = (destination: string, managed: 'server' | 'client'): AgentAction => ({
  type: 'handoff',
  destination,
  managed,
  reason: 'COMPLEX_QUERY',
  data: { booking: 'KF-48213' },
});

/** Actions of the agent for the messages in the documents' examples. */
const ANSWERS: Readonly<Record<string, readonly AgentAction[]>> = {
  'When does the last ferry leave?': LAST_FERRY,
  'À quelle heure part le dernier ferry ?': [
    { type: 'language', languageCode: 'fr' },
    { type: 'text', text: 'Le dernier ferry part à 22 h 40.' },
  ],
  'Can I talk to a person?': [{ type: 'text', text: 'One moment.' }, handoff('Bookings', 'server')],
  'Call me, please.': [handoff('Bookings', 'client')],
  'I would like to pay.': [
    {
      type: 'wait_for_event',
      name: 'payment',
      timeoutMs: 600_000,
      eventId: 'evt_01JNG2V6W9Q3T8X4Z7B5C1D0EF',
    },
    { type: 'text', text: 'Please pay with the reference evt_01JNG2V6W9Q3T8X4Z7B5C1D0EF.' },
  ],
  'Is the night desk open?': [handoff('Closed', 'server')],
  'Is the island desk open?': [handoff('Nobody', 'server')],
  'Thanks, that is all.': [{ type: 'text', text: 'Goodbye!' }, { type: 'end' }],
};

/** The agent of the documents' examples, which always gives the same answers. */
export const ferryAgent: Agent = {
  name: 'Ada',
  avatarUrl: 'https://example.com/ada.png',
  async *run({ kind, text }: AgentTurn): AsyncGenerator<AgentAction> {
    if (kind === 'greeting') yield { type: 'text', text: 'Hello, I am Ada. How can I help?' };
    else yield* ANSWERS[text] ?? [{ type: 'text', text: 'The ticket office knows more.' }];
  },
};
