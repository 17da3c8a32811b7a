import { expect, it } from 'vitest';
import type { Entry } from './desk-types.ts';
import { readTranscript } from './read-transcript.ts';

const entriesOf = (
  ...events: readonly (readonly [type: string, payload: Entry['payload']])[]
): readonly Entry[] =>
  events.map(([type, payload], index) => ({
    sequence: index + 1,
    type,
    payload,
    at: '2026-07-13T08:00:00Z',
  }));

it('puts the pieces of an answer together, and names who speaks', () => {
  const lines = readTranscript(
    entriesOf(
      ['AGENT_JOINED', { agent_name: 'Ada' }],
      ['AGENT_MESSAGE_CHUNK', { message_id: 'm1', text: 'One ' }],
      ['USER_MESSAGE', { message_id: 'm2', text: 'a person' }],
      ['AGENT_MESSAGE_CHUNK', { message_id: 'm1', text: 'moment.' }],
      ['LIVE_AGENT_JOINED', { agent: { id: 'p', name: 'Grace' } }],
      ['LIVE_AGENT_MESSAGE', { message_id: 'm3', text: 'Hello.', agent_name: 'Grace' }],
      ['LANGUAGE_CHANGED', { language_code: 'de' }],
      ['SESSION_END', { reason: 'REASON_USER_END' }],
    ),
  );
  expect(lines.map(({ author, name, text }) => [author, name, text])).toEqual([
    ['notice', '', 'The agent is answering.'],
    ['agent', 'Automated agent', 'One moment.'],
    ['visitor', 'Visitor', 'a person'],
    ['notice', '', 'Grace has joined.'],
    ['person', 'Grace', 'Hello.'],
    ['notice', '', 'The conversation has ended.'],
  ]);
});

it('leaves unknown events out of the transcript', () => {
  expect(readTranscript(entriesOf(['LIVE_AGENT_JOINED', {}], ['USER_MESSAGE', { text: 7 }]))).toMatchObject([
    { text: ' has joined.' },
  ]);
});

it('lists what comes with a message, and leaves out addresses that are none', () => {
  const attachments = [
    { content_type: 'ATTACHMENT_CONTENT_TYPE_IMAGE', content_url: 'https://a.example/p.png', title: 'p.png' },
    { content_type: 'ATTACHMENT_CONTENT_TYPE_URL', content_url: 'https://a.example/q', title: '' },
    { content_type: 'ATTACHMENT_CONTENT_TYPE_URL', content_url: 'javascript:alert(1)', title: 'x' },
    7,
  ];
  const payload = { message_id: 'm1', text: '', agent_name: 'Grace', attachments };
  expect(readTranscript(entriesOf(['LIVE_AGENT_MESSAGE', payload]))).toMatchObject([
    {
      author: 'person',
      text: '',
      attachments: [
        { isPicture: true, href: 'https://a.example/p.png', title: 'p.png' },
        { isPicture: false, href: 'https://a.example/q', title: 'https://a.example/q' },
      ],
    },
  ]);
  expect(readTranscript(entriesOf(['LIVE_AGENT_MESSAGE', { ...payload, attachments: 'x' }]))).toEqual([]);
});

it('names the files of a visitor, whose addresses are the last lines of a message', () => {
  const text = 'My ticket\nhttps://files.example/1/My%20ticket.pdf\nhttps://files.example/2/seat.png';
  expect(readTranscript(entriesOf(['USER_MESSAGE', { message_id: 'm1', text }]))).toMatchObject([
    {
      author: 'visitor',
      text: 'My ticket',
      attachments: [
        { isPicture: false, href: 'https://files.example/1/My%20ticket.pdf', title: 'My ticket.pdf' },
        { isPicture: true, href: 'https://files.example/2/seat.png', title: 'seat.png' },
      ],
    },
  ]);
});
