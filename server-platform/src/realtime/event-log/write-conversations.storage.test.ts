import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeStorage } from '../../../test/db/describe-storage.ts';
import type { TestDatabase } from '../../../test/db/engines.ts';
import type { ConversationChange, ConversationTurn } from './conversation-change.ts';
import { searchWords } from './search-words.ts';
import { writeConversations } from './write-conversations.ts';

const START: NonNullable<ConversationChange['start']> = {
  atMs: 1_000,
  projectId: 'PROJECT-1',
  connectorId: null,
  variantId: 'v1',
  variantName: 'Main',
  environment: 'live',
  channel: 'CHAT',
  language: 'en',
  fromNumber: '',
  toNumber: '',
  sharedId: null,
};

function turn(fields: Partial<ConversationTurn> = {}): ConversationTurn {
  return {
    kind: 'message',
    userInput: 'When does it leave?',
    userInputAtMs: 1_100,
    agentResponse: 'At noon.',
    agentResponseAtMs: 1_200,
    atMs: 1_300,
    ...fields,
  };
}

describeStorage('writing the conversation record', ({ open }) => {
  let place: TestDatabase;
  beforeAll(async () => {
    place = await open();
  });
  afterAll(() => place.close());

  const write = (...changes: readonly ConversationChange[]): Promise<void> =>
    writeConversations(place.database, changes);
  const read = async (id: string): Promise<Record<string, unknown> | undefined> =>
    (await place.database.query('SELECT * FROM conversations WHERE id = $1', [id]))[0];
  const ordinals = async (id: string): Promise<readonly unknown[]> =>
    (
      await place.database.query<{ ordinal: number }>(
        'SELECT ordinal FROM conversation_turns WHERE conversation_id = $1 ORDER BY ordinal',
        [id],
      )
    ).map(({ ordinal }) => ordinal);

  it('stores all fields of a turn', async () => {
    await write({
      id: 'true',
      start: START,
      turns: [turn({ bargeIn: true, isOod: true, isSilence: true })],
    });
    const [row] = await place.database.query(
      'SELECT barge_in, is_ood, is_silence FROM conversation_turns WHERE conversation_id = $1',
      ['true'],
    );
    expect(row).toEqual({ barge_in: true, is_ood: true, is_silence: true });
  });

  it('stores known fields of a turn, and empty values for the rest', async () => {
    await write({ id: 'plain', start: START, turns: [turn()] });
    const [row] = await place.database.query('SELECT * FROM conversation_turns WHERE conversation_id = $1', [
      'plain',
    ]);
    expect(row).toMatchObject({
      ordinal: 1,
      kind: 'message',
      user_input: 'When does it leave?',
      user_input_dtmf: '',
      barge_in: false,
      is_ood: false,
      is_silence: false,
      intents: [],
      entities: {},
      metrics: {},
      metadata: {},
      context_state: null,
      translated_user_input: '',
      english_agent_response: '',
      latency_ms: null,
      failure: null,
      api_errors: 0,
      function_errors: 0,
    });
    expect(await read('plain')).toMatchObject({
      num_turns: 1,
      num_silences: 0,
      num_ood: 0,
      ended_at: null,
    });
  });

  it('requests a vector once a conversation has text to find', async () => {
    await write({ id: 'vector', start: START });
    expect(await read('vector')).toMatchObject({ needs_vector: false });
    await write({ id: 'vector', language: 'fr' });
    expect(await read('vector')).toMatchObject({ needs_vector: false });
    await write({ id: 'vector', turns: [turn()] });
    expect(await read('vector')).toMatchObject({ needs_vector: true });
    await write({ id: 'vector', language: 'de' });
    expect(await read('vector')).toMatchObject({ needs_vector: true });
    await write({ id: 'vector with turns', start: START, turns: [turn()] });
    expect(await read('vector with turns')).toMatchObject({ needs_vector: true });
  });

  it('stores the same conversation whether written at once or piece by piece', async () => {
    const turns = [
      turn({ kind: 'greeting' }),
      turn({ userInput: '', isSilence: true }),
      turn({ isOod: true }),
    ];
    const handoff = { atMs: 2_000, reason: 'POLICY', destination: 'desk', data: { a: 1 }, sharedId: 's' };
    const end = { atMs: 3_000, reason: 'handoff' as const };
    await write({ id: 'CONV-WHOLE', start: START, turns, handoff, end });
    await write({ id: 'CONV-PIECES', start: START });
    for (const each of turns) await write({ id: 'CONV-PIECES', turns: [each] });
    await write({ id: 'CONV-PIECES', handoff });
    await write({ id: 'CONV-PIECES', end });
    const whole = await read('CONV-WHOLE');
    expect(whole).toMatchObject({
      num_turns: 3,
      num_silences: 1,
      num_ood: 1,
      agent_left_at: 2_000,
      ended_at: 3_000,
    });
    expect(await read('CONV-PIECES')).toEqual({ ...whole, id: 'CONV-PIECES' });
    expect(await ordinals('CONV-WHOLE')).toEqual([1, 2, 3]);
    expect(await ordinals('CONV-PIECES')).toEqual([1, 2, 3]);
  });

  it('keeps the last shared id, and clears the handoff when the agent is back', async () => {
    const start = { ...START, sharedId: 'first' };
    const handoff = { atMs: 2_000, reason: 'POLICY', destination: 'desk', sharedId: 'second' };
    await write({ id: 'CONV-SHARED', start });
    await write({ id: 'CONV-SHARED', handoff });
    expect(await read('CONV-SHARED')).toMatchObject({ shared_id: 'second', agent_left_at: 2_000 });
    await write({ id: 'CONV-BACK', start, handoff, isAgentBack: true });
    expect(await read('CONV-BACK')).toMatchObject({
      shared_id: 'second',
      handoff_at: 2_000,
      agent_left_at: null,
    });
  });

  it('writes many conversations with one statement, new and existing ones', async () => {
    await write({ id: 'CONV-OLD', start: START, turns: [turn()] });
    await write(
      { id: 'CONV-NEW', start: START, turns: [turn(), turn()] },
      { id: 'CONV-OLD', turns: [turn(), turn()], language: 'cy' },
    );
    expect(await ordinals('CONV-NEW')).toEqual([1, 2]);
    expect(await ordinals('CONV-OLD')).toEqual([1, 2, 3]);
    expect(await read('CONV-OLD')).toMatchObject({ num_turns: 3, language: 'cy' });
  });

  it('keeps the first end, and writes nothing for a conversation that was never started', async () => {
    await write({ id: 'CONV-TWICE', start: START, end: { atMs: 5, reason: 'user' } });
    await write({ id: 'CONV-TWICE', end: { atMs: 9, reason: 'timed_out' } });
    expect(await read('CONV-TWICE')).toMatchObject({ ended_at: 5, end_reason: 'user' });
    await write({ id: 'CONV-NEVER', turns: [turn()] });
    expect(await ordinals('CONV-NEVER')).toEqual([]);
  });

  it('adds no turn twice when a start is repeated', async () => {
    const change = { id: 'CONV-AGAIN', start: START, turns: [turn()] };
    await write(change);
    await write(change);
    expect(await ordinals('CONV-AGAIN')).toEqual([1]);
  });

  it('numbers turns without gaps when several are written at once', async () => {
    await write({ id: 'CONV-RACE', start: START });
    await Promise.all(Array.from({ length: 20 }, () => write({ id: 'CONV-RACE', turns: [turn()] })));
    expect(await ordinals('CONV-RACE')).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    expect(await read('CONV-RACE')).toMatchObject({ num_turns: 20 });
  });

  it('stores characters that text columns reject as replacement characters, and JSON values unchanged', async () => {
    const hostile = 'a\u0000b\ud800c';
    await write({
      id: 'CONV-HOSTILE',
      start: { ...START, variantName: hostile },
      turns: [
        turn({
          userInput: hostile,
          agentResponse: hostile,
          metadata: { hostile },
          contextState: { hostile },
        }),
      ],
    });
    const [stored] = await place.database.query(
      "SELECT user_input, metadata, context_state FROM conversation_turns WHERE conversation_id = 'CONV-HOSTILE'",
    );
    expect(stored).toEqual({
      user_input: 'a\uFFFDb\uFFFDc',
      metadata: { hostile },
      context_state: { hostile },
    });
  });

  it('stores the longest texts', async () => {
    const long = Array.from({ length: 120_000 }, (_, index) => `w${index}`).join(' ');
    await write({
      id: 'CONV-LONG',
      start: START,
      turns: [turn({ userInput: long, agentResponse: 'x'.repeat(500_000) })],
    });
    expect(await ordinals('CONV-LONG')).toEqual([1]);
  });
});

describe('the words of a text (CV-3)', () => {
  it('indexes words in lower case, once each, without punctuation', () => {
    expect(searchWords('Ferry, FERRY — straße №5 don’t!')).toEqual(['ferry', 'straße', 'no5', 'don', 't']);
  });

  it('folds compatibility forms of words and keeps accents', () => {
    expect(searchWords('ﬁnd CAFÉ Ｃａｆｅ')).toEqual(['find', 'café', 'cafe']);
  });

  it('splits words by dictionary in scripts without spaces', () => {
    expect(searchWords('東京の天気')).toEqual(['東京', 'の', '天気']);
  });
});
