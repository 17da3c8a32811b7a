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
