import { describe, expect, it } from 'vitest';
import { decodeServerFrame, EXTENSIONS_KEY, SYSTEM_TEXTS } from '../../../protocol/index.ts';
import { applyEvent, applyTime, closeSurvey, isRepeat, transcriptDeadlineMs } from './apply-event.ts';
import { endStream } from './apply-message.ts';
import { selectSpeaker } from './presence.ts';
import { selectLanguage } from './select-language.ts';
import { EMPTY_TRANSCRIPT, type Transcript } from './transcript-state.ts';

interface Wire {
  readonly type: string;
  readonly payload?: Record<string, unknown>;
  readonly sequence?: number | null;
  readonly id?: string;
  readonly timestamp?: string;
  readonly custom?: Record<string, string>;
  readonly nowMs?: number;
}

/** Applies events as received; sequences count up unless given. */
function transcriptOf(...events: readonly Wire[]): Transcript {
  return events.reduce<Transcript>(
    (transcript, { type, payload = {}, sequence, id, timestamp, custom, nowMs = 0 }, index) => {
      const number = sequence === undefined ? index + 1 : sequence;
      const frame = decodeServerFrame(
        JSON.stringify({
          type: `EVENT_TYPE_${type}`,
          id: id ?? `e${number ?? `t${index}`}`,
          sequence: number,
          timestamp: timestamp ?? '2026-03-02T09:15:00.000Z',
          metadata: { custom },
          payload,
        }),
      );
      if (frame.kind === 'drop') throw new Error(`The test's own frame was dropped: ${frame.reason}`);
      return frame.events
        .filter((event) => !isRepeat(transcript, event))
        .reduce((next, event) => applyEvent(next, event, nowMs), transcript);
    },
    EMPTY_TRANSCRIPT,
  );
}

const texts = ({ entries }: Transcript): string[] =>
  entries.map(({ item }) => (item.kind === 'system' ? `* ${item.notice.code}` : item.text));

const message = (message_id: string, text: string, more: Record<string, unknown> = {}): Wire => ({
  type: 'AGENT_MESSAGE',
  payload: { message_id, text, ...more },
});
const chunk = (message_id: string, chunk_index: number, text: string, is_complete = false): Wire => ({
  type: 'AGENT_MESSAGE_CHUNK',
  payload: { message_id, chunk_index, text, is_complete },
});
const survey: Wire = {
  type: 'SHOW_CSAT_REQUEST',
  payload: { survey_id: 's', title: 'Your opinion', question: 'How was it?' },
};
const thinking: Wire = { type: 'AGENT_THINKING', sequence: null };

describe('the end of a chat', () => {
  it.each([
    ['REASON_USER_END', 'user'],
    ['user_ended', 'user'],
    ['REASON_USER_ABANDONED', 'inactivity'],
    ['REASON_NATURAL_END', 'agent'],
    ['agent_ended', 'agent'],
    ['normal', 'platform'],
    ['constructor', 'platform'],
    [undefined, 'platform'],
  ])('reads the end reason %s as an end by the %s', (reason, by) => {
    expect(transcriptOf({ type: 'SESSION_END', payload: { reason } }).ended).toMatchObject({ by });
  });

  it('shows an ending message before the end of the chat', () => {
    const transcript = transcriptOf(message('m', 'Goodbye', { end_conversation: true }));
    expect(texts(transcript)).toEqual(['Goodbye']);
    expect(transcript.ended).toMatchObject({ by: 'agent' });
  });

  it.each(['HEARTBEAT', 'SESSION_END', 'SYSTEM_MESSAGE', 'LIVE_AGENT_LEFT'])(
    'keeps the chat ended after %s',
    (type) => {
      expect(transcriptOf({ type: 'SESSION_END' }, { type }).ended).not.toBeNull();
    },
  );

  it.each(['AGENT_JOINED', 'AGENT_MESSAGE', 'USER_MESSAGE', 'HANDOFF_ACCEPTED'])(
    'reopens the chat after a later %s',
    (type) => {
      expect(transcriptOf({ type: 'SESSION_END' }, { type }).ended).toBeNull();
    },
  );

  it('ignores a late end of a conversation that continued after it', () => {
    const transcript = transcriptOf(
      { ...message('m', 'x'), sequence: 9 },
      { type: 'SESSION_END', sequence: 8 },
    );
    expect(transcript.ended).toBeNull();
  });

  it('does not replace a later end by a late one', () => {
    const transcript = transcriptOf(
      { type: 'SESSION_END', payload: { reason: 'user_ended' }, sequence: 9 },
      { type: 'SESSION_END', payload: { reason: 'agent_ended' }, sequence: 8 },
    );
    expect(transcript.ended).toEqual({ by: 'user', sequence: 9 });
  });

  it('ends the chat with the last chunk of a message and not before', () => {
    const piece = ({ payload, ...wire }: Wire): Wire => ({
      ...wire,
      payload: { ...payload, end_conversation: true },
    });
    const [first, last] = [piece(chunk('m', 1, 'Good')), piece(chunk('m', 2, 'bye', true))];
    expect(transcriptOf(first).ended).toBeNull();
    expect(transcriptOf(first, last).ended).toMatchObject({ by: 'agent' });
  });

  it('reopens the chat after a later event without a sequence', () => {
    expect(transcriptOf({ type: 'SESSION_END' }, thinking).ended).toBeNull();
  });

  it('keeps the chat ended after an earlier event that arrives late', () => {
    expect(
      transcriptOf({ type: 'SESSION_END', sequence: 9 }, { ...message('m', 'x'), sequence: 8 }).ended,
    ).not.toBeNull();
  });

  it('finalises open streams before the end of the chat', () => {
    const transcript = transcriptOf(chunk('m', 1, 'so far'), { type: 'SESSION_END' });
    expect(transcript.entries[0]?.item).toMatchObject({ text: 'so far', isStreaming: false });
  });
});

describe('the typing indicator', () => {
  const isOn = (...events: readonly Wire[]): boolean => transcriptOf(...events).typing !== null;

  it('shows typing for a thinking agent and for a typing person', () => {
    expect(isOn(thinking)).toBe(true);
    expect(isOn({ type: 'LIVE_AGENT_TYPING', sequence: null, payload: { agent_name: 'Marek' } })).toBe(true);
  });

  it.each([
    message('m', 'x'),
    chunk('m', 1, 'x'),
    { type: 'LIVE_AGENT_MESSAGE', payload: { message_id: 'l', text: 'x' } },
    { type: 'LIVE_AGENT_TYPING', sequence: null, payload: { state: 'TYPING_STATE_STOPPED' } },
    { type: 'AGENT_LEFT' },
    { type: 'LIVE_AGENT_LEFT' },
    { type: 'AGENT_TRIGGERED_HANDOFF' },
    { type: 'HANDOFF_ACCEPTED' },
    { type: 'HANDOFF_FAILED' },
    { type: 'HANDOFF_TIMEOUT' },
    { type: 'CLIENT_HANDOFF_REQUIRED' },
    { type: 'SESSION_END' },
  ] as Wire[])('hides the typing indicator on $type', (event) => {
    expect(isOn(thinking, event)).toBe(false);
  });

  it('shows typing for ten seconds from the last start', () => {
    const twice = transcriptOf(thinking, { ...thinking, nowMs: 4_000 });
    expect(transcriptDeadlineMs(twice)).toBe(14_000);
    expect(applyTime(twice, 13_999).typing).not.toBeNull();
    expect(applyTime(twice, 14_000).typing).toBeNull();
  });
});

describe('messages', () => {
  it('keeps a message one line when its stream breaks after the first chunk (ASM-8)', () => {
    expect(texts(endStream(transcriptOf(chunk('m1', 1, 'Hel'))))).toEqual(['Hel']);
  });

  it('places messages by sequence, and replaces them in place by later content', () => {
    const transcript = transcriptOf(
      { ...message('a', 'one'), sequence: 4 },
      { ...message('b', 'two'), sequence: 5 },
      { ...message('a', 'one, corrected'), sequence: 6 },
    );
    expect(texts(transcript)).toEqual(['one, corrected', 'two']);
    expect(transcript.unread).toBe(2);
  });

  it('replaces messages in place even without sequences', () => {
    const transcript = transcriptOf(
      { ...message('a', 'one'), sequence: null },
      { ...message('b', 'two'), sequence: null },
      { ...message('a', 'one, corrected'), sequence: null },
    );
    expect(texts(transcript)).toEqual(['one, corrected', 'two']);
  });

  it("shows messages with the platform's time", () => {
    const { entries } = transcriptOf({ ...message('a', 'one'), nowMs: 5_000 });
    expect(entries[0]?.item).toMatchObject({ atMs: Date.UTC(2026, 2, 2, 9, 15) });
  });

  it('shows messages with their arrival time if the platform sends none', () => {
    const { entries } = transcriptOf({ ...message('a', 'one'), timestamp: 'soon', nowMs: 5_000 });
    expect(entries[0]?.item).toMatchObject({ atMs: 5_000 });
  });

  it('keeps the later content at the earlier position when the earlier event arrives last', () => {
    const transcript = transcriptOf(
      { ...message('a', 'corrected'), sequence: 6 },
      { ...message('b', 'two'), sequence: 5 },
      { ...message('a', 'first try'), sequence: 4 },
    );
    expect(texts(transcript)).toEqual(['corrected', 'two']);
  });

  it('shows no message without content', () => {
    const unknown = [{ content_type: 'VIDEO', content_url: 'https://a.example.net/v' }];
    expect(texts(transcriptOf(message('a', ''), message('b', '', { attachments: unknown })))).toEqual([]);
  });

  it('keeps only renderable content, with phone numbers ready to call', () => {
    const { entries } = transcriptOf(
      message('a', 'x', {
        attachments: [
          { content_type: 'ATTACHMENT_CONTENT_TYPE_IMAGE', content_url: 'https://a.example.net/1' },
          { content_type: 'OTHER', content_url: 'https://a.example.net/2' },
        ],
        chat_call_actions: [
          { title: 'Call', contact_number: '+44 (0) 20-7946' },
          { title: 'Nothing', contact_number: 'n/a' },
        ],
        response_suggestions: [{ message_text: '' }, { message_text: 'Yes' }],
      }),
    );
    expect(entries[0]?.suggestions).toEqual([{ text: 'Yes' }]);
    expect(entries[0]?.item).toMatchObject({
      attachments: [{ kind: 'image', contentUrl: 'https://a.example.net/1' }],
      callActions: [{ title: 'Call', phoneNumber: '+440207946' }],
    });
  });

  it('adds the author to messages even when the join arrives later', () => {
    const transcript = transcriptOf(
      { ...message('a', 'x'), sequence: 3 },
      { type: 'AGENT_JOINED', payload: { agent_name: 'Ada' }, sequence: 2 },
    );
    expect(transcript.entries.at(-1)?.item).toMatchObject({ speaker: { kind: 'agent', name: 'Ada' } });
  });

  it("shows the visitor's messages as one line per id, and per event without one", () => {
    const said = (message_id: string): Wire => ({
      type: 'USER_MESSAGE',
      payload: { message_id, text: 'Hi' },
    });
    expect(texts(transcriptOf(said('u'), said('u'), said('v')))).toEqual(['Hi', 'Hi']);
    expect(texts(transcriptOf(said(''), said('')))).toEqual(['Hi', 'Hi']);
  });

  it('attributes messages of a person who never joined to the named person', () => {
    const { entries } = transcriptOf(
      { type: 'LIVE_AGENT_JOINED', payload: { agent: { id: 'op', name: 'Marek' } } },
      { type: 'LIVE_AGENT_MESSAGE', payload: { message_id: 'l', text: 'x', agent_id: 'other' } },
    );
    expect(entries.at(-1)?.item).toMatchObject({ speaker: { kind: 'live_agent', id: 'other', name: null } });
  });

  it('stops waiting for a missing chunk after three seconds', () => {
    const waiting = transcriptOf(chunk('m', 1, 'A'), chunk('m', 3, 'C', true));
    expect(texts(waiting)).toEqual(['A']);
    expect(transcriptDeadlineMs(waiting)).toBe(3_000);
    const shown = applyTime(waiting, 3_000);
    expect(texts(shown)).toEqual(['AC']);
    expect(transcriptDeadlineMs(shown)).toBe(Infinity);
  });
});

describe('who speaks', () => {
  const person = { type: 'LIVE_AGENT_JOINED', payload: { agent: { id: 'op', name: 'Marek' } } };

  it('takes the last speaker who joined and has not left', () => {
    expect(
      selectSpeaker(transcriptOf({ type: 'AGENT_JOINED', payload: { agent_name: 'Ada' } }).presence)?.name,
    ).toBe('Ada');
    expect(selectSpeaker(transcriptOf({ type: 'AGENT_JOINED' }, { type: 'AGENT_LEFT' }).presence)).toBeNull();
    expect(selectSpeaker(transcriptOf({ type: 'AGENT_JOINED' }, person).presence)?.kind).toBe('live_agent');
  });

  it.each([
    ['AGENT_JOINED', {}, { kind: 'agent', id: null, name: null, avatarUrl: null }],
    [
      'AGENT_JOINED',
      { agent_name: 'Ada', agent_avatar_url: 'https://a.example.net/ada' },
      { kind: 'agent', id: null, name: 'Ada', avatarUrl: 'https://a.example.net/ada' },
    ],
    [
      'LIVE_AGENT_JOINED',
      { agent: { id: 'op', name: 'Marek', avatar_url: 'https://a.example.net/marek' } },
      { kind: 'live_agent', id: 'op', name: 'Marek', avatarUrl: 'https://a.example.net/marek' },
    ],
  ])('describes a speaker by the join, with null for missing fields (%s %j)', (type, payload, speaker) => {
    expect(selectSpeaker(transcriptOf({ type, payload }).presence)).toStrictEqual(speaker);
  });

  it('names the speaker while they think', () => {
    const joined = { type: 'AGENT_JOINED', payload: { agent_name: 'Ada' } };
    expect(transcriptOf(joined, thinking).typing?.speaker.name).toBe('Ada');
    expect(transcriptOf(thinking).typing?.speaker).toMatchObject({ kind: 'agent', name: null });
  });

  it('stores that the automated agent has joined, although a person speaks later', () => {
    expect(transcriptOf(person).hasAgentJoined).toBe(false);
    expect(transcriptOf({ type: 'AGENT_JOINED' }, person).hasAgentJoined).toBe(true);
  });

  it('keeps the person as the speaker when the automated agent leaves late', () => {
    expect(
      selectSpeaker(transcriptOf({ type: 'AGENT_JOINED' }, person, { type: 'AGENT_LEFT' }).presence)?.name,
    ).toBe('Marek');
  });
});

describe('a line about a human agent who left', () => {
  it('names the person who left, although the event has no name', () => {
    const transcript = transcriptOf(
      { type: 'AGENT_JOINED', payload: { agent_name: 'Ada' } },
      { type: 'AGENT_LEFT' },
      { type: 'LIVE_AGENT_JOINED', payload: { agent: { id: 'op', name: 'Marek' } } },
      { type: 'LIVE_AGENT_LEFT', payload: { next_name: 'Sue' } },
    );
    const notices = transcript.entries.flatMap(({ item }) => (item.kind === 'system' ? [item.notice] : []));
    expect(notices.filter(({ code }) => code.endsWith('_left'))).toEqual([
      { code: 'agent_left', name: 'Ada' },
      { code: 'live_agent_left', name: 'Marek', nextName: 'Sue' },
    ]);
  });
});

describe('an event without a sequence', () => {
  it('does not move the cursor for an event without a sequence', () => {
    expect(transcriptOf(thinking).cursor).toBe(0);
    expect(transcriptOf({ ...message('m', 'x'), sequence: 7 }, thinking).cursor).toBe(7);
  });

  it('does not treat an event without a sequence as a duplicate by its id', () => {
    expect(transcriptOf({ ...message('m', 'x'), id: 'a' }, { ...thinking, id: 'a' }).typing).not.toBeNull();
  });
});

describe('the way to a person', () => {
  const noticeOf = ({ entries }: Transcript) => {
    const item = entries.at(-1)?.item;
    return item?.kind === 'system' ? item.notice : null;
  };

  it.each([
    [{ route: 'desk', reason: 'BILLING' }, 'desk'],
    [{ reason: 'BILLING' }, 'BILLING'],
  ])('shows the route of a hand-off, or the reason without one (%j)', (payload, route) => {
    const transcript = transcriptOf({ type: 'CLIENT_HANDOFF_REQUIRED', payload });
    expect(noticeOf(transcript)).toEqual({ code: 'handoff_required', route });
    expect(transcript.isWaitingForPerson).toBe(true);
  });

  it.each([
    [{}, { code: 'handoff_failed' }],
    [{ reason: 'nobody is there' }, { code: 'handoff_failed', reason: 'nobody is there' }],
    [{ reason: 'cancelled_by_user' }, { code: 'handoff_cancelled' }],
  ])('shows why a hand-off ended without a person (%j)', (payload, notice) => {
    const transcript = transcriptOf(
      { type: 'AGENT_TRIGGERED_HANDOFF' },
      { type: 'HANDOFF_QUEUE_STATUS', sequence: null, payload: { position_in_queue: 2 } },
      { type: 'HANDOFF_FAILED', payload },
    );
    expect(noticeOf(transcript)).toStrictEqual(notice);
    expect([transcript.queue, transcript.isWaitingForPerson]).toEqual([null, false]);
  });

  it('shows the queue during the conversation, but neither typing nor a queue once the survey is open', () => {
    const waiting = [
      message('m', 'One moment'),
      thinking,
      {
        type: 'HANDOFF_QUEUE_STATUS',
        sequence: null,
        payload: { queue_name: 'billing', position_in_queue: 2 },
      },
    ];
    const transcript = transcriptOf(...waiting);
    expect(texts(transcript)).toEqual(['One moment']);
    expect(transcript.typing).toBeNull();
    expect(transcript.queue).toMatchObject({ queueName: 'billing', position: 2 });
    expect(transcriptOf(...waiting, thinking, survey)).toMatchObject({ typing: null, queue: null });
  });
});

describe('the survey', () => {
  it('closes the conversation for the survey, which stays open until its time limit', () => {
    const asked = transcriptOf(message('m', 'Goodbye'), survey);
    expect(asked).toMatchObject({ ended: { by: 'agent' }, survey: { id: 's', status: 'open' } });
    const closed = closeSurvey(asked);
    expect(closed).toEqual({ ...asked, survey: null });
    expect(texts(closed)).toEqual(['Goodbye']);
  });

  it('keeps an answered survey', () => {
    const asked = transcriptOf(survey);
    if (asked.survey === null) throw new Error('There is no survey.');
    const answered: Transcript = { ...asked, survey: { ...asked.survey, status: 'rated' } };
    expect(closeSurvey(answered)).toBe(answered);
  });

  it.each([
    [['survey_comment'], true],
    [[], false],
  ])('accepts a survey comment if the client has named the extension (%j)', (extensions, canComment) => {
    const joined: Wire = { type: 'REQUEST_AGENT_JOIN', custom: { [EXTENSIONS_KEY]: extensions.join(',') } };
    expect(transcriptOf(joined, survey).survey).toMatchObject({ canComment });
  });
});

describe('lines of the platform', () => {
  const error = (text: string): Wire => ({
    type: 'SYSTEM_MESSAGE',
    sequence: null,
    payload: { level: 'SYSTEM_MESSAGE_LEVEL_ERROR', message: text },
  });

  it.each([
    SYSTEM_TEXTS.overloaded,
    SYSTEM_TEXTS.joinFailed,
    SYSTEM_TEXTS.noReply,
    SYSTEM_TEXTS.streamBroken,
    SYSTEM_TEXTS.connectorNotFound,
    SYSTEM_TEXTS.handoffUnavailable,
    SYSTEM_TEXTS.forwardFailed,
    SYSTEM_TEXTS.handoffNotInitiated,
    'Something new',
  ])('shows the visitor the error %s', (text) => {
    expect(transcriptOf(error(text)).entries[0]?.item).toMatchObject({ notice: { level: 'error', text } });
  });

  it.each([
    SYSTEM_TEXTS.invalidFrame,
    SYSTEM_TEXTS.notAllowed('EVENT_TYPE_X'),
    SYSTEM_TEXTS.tooLarge,
    SYSTEM_TEXTS.sessionNotFound,
    SYSTEM_TEXTS.sessionUnavailable,
    SYSTEM_TEXTS.conversationNotFound,
    SYSTEM_TEXTS.conversationNotStarted,
    '',
  ])('handles silently the error %s', (text) => {
    expect(transcriptOf(error(text)).entries).toEqual([]);
  });

  it.each([
    ['end', 7, false],
    ['do not end', null, true],
  ])(
    "errors %s a streaming answer: only those in the history are the agent's (STR-3)",
    (_, sequence, isStreaming) => {
      const { entries } = transcriptOf(chunk('m', 1, 'so far'), { ...error('Busy'), sequence });
      expect(entries[0]?.item).toMatchObject({ text: 'so far', isStreaming });
    },
  );

  it('keeps notices separate if no event has an id', () => {
    const transcript = transcriptOf({ ...error('Busy'), id: '' }, { ...error('Still busy'), id: '' });
    expect(texts(transcript)).toEqual(['* platform_message', '* platform_message']);
  });

  it('repeats notices as often as they are in the history', () => {
    const stored = [5, 6].map((sequence) => ({ ...error('Busy'), sequence }));
    expect(texts(transcriptOf(...stored))).toHaveLength(2);
  });

  it('names the missing agent until one joins', () => {
    const missing = {
      ...error('Nobody answers'),
      payload: { message: 'Nobody answers', missing_agent: 'ada' },
    };
    expect(transcriptOf(missing, error('Busy')).missingAgent).toBe('ada');
    expect(transcriptOf(missing, { type: 'AGENT_JOINED' }).missingAgent).toBeNull();
  });

  it('does not repeat a notice when nothing came in between', () => {
    expect(texts(transcriptOf(error('Busy'), error('Busy'), message('m', 'x'), error('Busy')))).toEqual([
      '* platform_message',
      'x',
      '* platform_message',
    ]);
  });
});

it('takes the language of the last change by sequence', () => {
  const say = (language_code: string | null, sequence: number): Wire => ({
    type: 'LANGUAGE_CHANGED',
    payload: { language_code },
    sequence,
  });
  expect(selectLanguage(transcriptOf(say(null, 3)))).toBeNull();
  const transcript = transcriptOf(say('de', 5), say('en', 4), say(null, 6));
  expect(selectLanguage(transcript)).toBe('de');
  // One line per change, at its position.
  expect(transcript.entries.map(({ item }) => item)).toMatchObject([
    { notice: { code: 'language_changed', language: 'en' } },
    { notice: { code: 'language_changed', language: 'de' } },
  ]);
});
