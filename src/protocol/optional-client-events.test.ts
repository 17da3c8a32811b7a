import { describe, expect, it } from 'vitest';
import { decodeClientFrame, findFrameFault, utf8Length } from './index.ts';

const OPTIONAL = [
  'EVENT_TYPE_CSAT_RESPONSE',
  'EVENT_TYPE_USER_RECEIVED_MESSAGE',
  'EVENT_TYPE_USER_READ_MESSAGE',
] as const;

const INVALID = 'Unknown event type or invalid message format';

const decode = (type: string, payload: unknown, optional: readonly (typeof OPTIONAL)[number][] = OPTIONAL) =>
  decodeClientFrame(JSON.stringify({ type, payload }), undefined, undefined, optional);

describe('an answer to the survey (TBD-3)', () => {
  const type = 'EVENT_TYPE_CSAT_RESPONSE';

  it.each([1, 2, 5])('accepts a survey answer with the score %i', (score) => {
    expect(decode(type, { survey_id: 's', score, skipped: false })).toMatchObject({
      kind: 'accept',
      event: { type, payload: { survey_id: 's', score, skipped: false } },
    });
  });

  it('accepts a survey answer with a score and without the flag for skipping', () => {
    expect(decode(type, { survey_id: 's', score: 3 })).toMatchObject({
      event: { payload: { survey_id: 's', score: 3, skipped: false } },
    });
  });

  it.each([[{ score: null }], [{}]])('accepts a skipped survey with %j', (rest) => {
    expect(decode(type, { survey_id: 's', skipped: true, ...rest })).toMatchObject({
      kind: 'accept',
      event: { type, payload: { survey_id: 's', score: null, skipped: true } },
    });
  });

  it.each([
    { survey_id: 's', score: 0 },
    { survey_id: 's', score: 6 },
    { survey_id: 's', score: 2.5 },
    { survey_id: 's', score: '3' },
    { survey_id: 's', score: null },
    { survey_id: 's' },
    { survey_id: 's', score: 3, skipped: true },
    { survey_id: 's', score: null, skipped: 'true' },
    { survey_id: '', score: 3 },
    { survey_id: 7, score: 3 },
    { score: 3 },
  ])('rejects the survey answer %j', (payload) => {
    expect(decode(type, payload)).toEqual({ kind: 'error', text: INVALID, custom: null });
  });
});

describe.each(['EVENT_TYPE_USER_RECEIVED_MESSAGE', 'EVENT_TYPE_USER_READ_MESSAGE'])('%s (TBD-3)', (type) => {
  it('accepts a receipt with the id of its message', () => {
    expect(decode(type, { message_id: 'msg_1', more: 1 })).toMatchObject({
      kind: 'accept',
      event: { type, payload: { message_id: 'msg_1' } },
    });
    for (const payload of [{}, { message_id: '' }, { message_id: 1 }])
      expect(decode(type, payload)).toEqual({ kind: 'error', text: INVALID, custom: null });
  });
});

it.each(OPTIONAL)('rejects %s if the connector has not enabled it (TBD-2)', (type) => {
  expect(decode(type, { message_id: 'm', survey_id: 's', score: 1 }, [])).toEqual({
    kind: 'error',
    text: `Event type not allowed: ${type}`,
    custom: null,
  });
  const others = OPTIONAL.filter((name) => name !== type);
  expect(decode(type, { message_id: 'm', survey_id: 's', score: 1 }, others)).toMatchObject({
    kind: 'error',
  });
});

describe('metadata (MET-2)', () => {
  const withCustom = (custom: unknown) =>
    decodeClientFrame(
      JSON.stringify({ type: 'EVENT_TYPE_USER_MESSAGE', payload: { text: 'hi' }, metadata: { custom } }),
    );
  const keys = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, 'v']));

  it.each([
    ['16 keys', keys(16)],
    ['a key of 64 bytes', { ['é'.repeat(32)]: 'v' }],
    ['a value of 1024 bytes', { key: 'é'.repeat(512) }],
  ])('accepts metadata with %s and returns it', (_, custom) => {
    expect(withCustom(custom)).toMatchObject({ kind: 'accept', event: { custom } });
  });

  it.each([
    ['17 keys', keys(17)],
    ['a key of 65 bytes', { [`${'é'.repeat(32)}a`]: 'v' }],
    ['a value of 1025 bytes', { key: `${'é'.repeat(512)}a` }],
    ['a value that is no text', { key: 1 }],
    ['a list', ['v']],
    ['a text', 'v'],
  ])('rejects as metadata %s', (_, custom) => {
    expect(withCustom(custom)).toEqual({ kind: 'error', text: INVALID, custom: null });
  });

  it('reads metadata that is null as missing', () => {
    expect(withCustom(null)).toMatchObject({ kind: 'accept', event: { custom: null } });
    const frame = { type: 'EVENT_TYPE_HEARTBEAT', metadata: null };
    expect(decodeClientFrame(JSON.stringify(frame))).toMatchObject({
      kind: 'accept',
      event: { custom: null },
    });
  });
});

describe('the size of a frame (5.6)', () => {
  const limits = { maxFrameBytes: 50, hardMaxFrameBytes: 60 };
  const frame = '{"type":"EVENT_TYPE_HEARTBEAT"}';

  it.each([
    [50, { kind: 'accept' }],
    [51, { kind: 'error', text: 'Message too large' }],
    [60, { kind: 'error', text: 'Message too large' }],
    [61, { kind: 'close', code: 1009 }],
  ])('checks a frame of %i bytes against limits of 50 and 60', (byteLength, expected) => {
    expect(decodeClientFrame(frame, byteLength, limits)).toMatchObject(expected);
  });

  it('names the draft whose frame is too large, so that its client can mark it (SYS-4)', () => {
    const custom = { client_event_id: 'draft-1' };
    const long = { type: 'EVENT_TYPE_USER_MESSAGE', payload: { text: 'x'.repeat(50) }, metadata: { custom } };
    const decode = (text: string): unknown => decodeClientFrame(text, 51, { ...limits });
    expect(decode(JSON.stringify(long))).toEqual({ kind: 'error', text: 'Message too large', custom });
    for (const unreadable of ['{', '[]', JSON.stringify({ ...long, metadata: { custom: { a: 1 } } })])
      expect(decode(unreadable)).toEqual({ kind: 'error', text: 'Message too large', custom: null });
  });

  it('checks a frame against the hard limit alone if the first is 0', () => {
    expect(decodeClientFrame(frame, 60, { ...limits, maxFrameBytes: 0 })).toMatchObject({ kind: 'accept' });
  });
});

describe('the length of a text in UTF-8', () => {
  it.each(['', 'a', '\u007f', '\u0080', '\u07ff', '\u0800', '\ud7ff', '\ue000', '\uffff', '😀', 'a😀é€'])(
    'measures the UTF-8 length of %j',
    (text) => {
      expect(utf8Length(text)).toBe(new TextEncoder().encode(text).length);
    },
  );

  it.each([
    '\ud83d',
    '\ude00',
    '\ud83da',
    '\ude00\ud83d',
    '\ud83d\ud83d\ude00',
    '\udbff\udfff',
    '\udbff\ue000',
  ])('counts a lone surrogate in %j as its replacement character', (text) => {
    expect(utf8Length(text)).toBe(new TextEncoder().encode(text).length);
  });
});

describe('a rating (EXT-3)', () => {
  const type = 'EVENT_TYPE_X_FEEDBACK';

  it.each([
    [{ rating: 'up' }, { rating: 'up', reason: null }],
    [
      { rating: 'down', reason: 'No.' },
      { rating: 'down', reason: 'No.' },
    ],
    [{ rating: null }, { rating: null, reason: null }],
  ])('reads a rating %j as %j', (given, read) => {
    expect(decode(type, { message_id: 'm', ...given })).toMatchObject({
      kind: 'accept',
      event: { type, payload: { message_id: 'm', ...read } },
    });
  });

  it.each([
    { rating: 'sideways', reason: 'Yes.' },
    { rating: 'sideways', message_id: '' },
    { rating: 'up', message_id: '' },
    { rating: 'up', reason: 7 },
    { reason: 'Yes.' },
  ])('rejects the feedback %j', (given) => {
    expect(decode(type, { message_id: 'm', ...given })).toMatchObject({ kind: 'error', text: INVALID });
  });
});

it('returns the ids of the draft with the error about an unknown type', () => {
  const frame = JSON.stringify({ type: 'EVENT_TYPE_NEW', metadata: { custom: { draft: '7' } } });
  expect(decodeClientFrame(frame)).toMatchObject({ kind: 'error', custom: { draft: '7' } });
});

describe('the fault of a refused frame, for logs', () => {
  it.each([
    [null, 'binary'],
    ['{', 'no JSON'],
    ['[]', 'no object'],
    ['{}', 'no type'],
    ['{"type":"x"}', 'unknown type'],
    ['{"type":"EVENT_TYPE_SESSION_END"}', 'type not allowed'],
    ['{"type":"EVENT_TYPE_HEARTBEAT","metadata":1}', 'bad metadata'],
    ['{"type":"EVENT_TYPE_HEARTBEAT","payload":1}', 'payload is not an object'],
    ['{"type":"EVENT_TYPE_USER_MESSAGE","payload":{"text":" "}}', 'blank text'],
    ['{"type":"EVENT_TYPE_USER_MESSAGE","payload":{}}', 'bad payload'],
    ['{"type":"EVENT_TYPE_USER_TYPING","payload":{"state":"x"}}', 'bad payload'],
    ['{"type":"EVENT_TYPE_HEARTBEAT"}', null],
  ])('names the fault of the frame %j as %j', (frame, fault) => {
    expect(findFrameFault(frame)).toBe(fault);
  });
});
