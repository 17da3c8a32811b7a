import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { fieldsOf } from '../../schema/inspect-schema.ts';
import { readerOf } from '../../schema/reader-of.ts';
import { conversationSchema, legacyConversationSchema } from './record.ts';

const conversationReader = readerOf(conversationSchema);
const legacyConversationReader = readerOf(legacyConversationSchema);

const required = {
  id: 'CONV-1',
  account_id: 'ws-1',
  project_id: 'PROJECT-1',
  environment: 'live',
  started_at: '2026-03-02T09:15:00Z',
  channel: 'CHAT',
  in_progress: false,
};
const read = (
  over: Readonly<Record<string, unknown>>,
): ReturnType<typeof v.parse<typeof conversationReader>> =>
  v.parse(conversationReader, { ...required, ...over });

describe('a record of v2 or v3', () => {
  it('reads a record of v2 or v3 with every field, even those that the writer omitted or sent as null', () => {
    const bare = read({});
    expect(Object.keys(bare)).toEqual([
      ...'id account_id project_id variant_id variant_name environment started_at channel in_progress'.split(
        ' ',
      ),
      ...'from_number to_number num_turns total_duration platform_duration handoff handoff_reason'.split(' '),
      ...'handoff_destination num_silences num_ood metrics state turns'.split(' '),
    ]);
    const nulls = Object.fromEntries(
      Object.keys(bare)
        .filter((key) => !(key in required))
        .map((key) => [key, null]),
    );
    expect(read(nulls)).toEqual(bare);
  });

  it.each(Object.keys(required))('reads no record of v2 or v3 without %s', (key) => {
    expect(v.safeParse(conversationReader, { ...required, [key]: undefined }).success).toBe(false);
  });

  it('reads the vendor’s name of the duration, but prefers the neutral one', () => {
    expect(read({ polyai_duration: 12.7 }).platform_duration).toBe(12);
    expect(read({ polyai_duration: 12, platform_duration: 9 }).platform_duration).toBe(9);
  });

  it('reads entities from a mapping or a list of mappings', () => {
    const turn = (entities: unknown): unknown => read({ turns: [{ entities }] }).turns[0]?.entities;
    expect(turn({ port: 'Oban', pets: ['dog', 'cat'], none: null })).toEqual({
      port: 'Oban',
      pets: ['dog', 'cat'],
    });
    expect(turn([{ port: 'Oban' }, { pets: ['dog'] }, { port: 'Mull' }])).toEqual({
      port: ['Oban', 'Mull'],
      pets: ['dog'],
    });
    expect(turn([])).toEqual({});
  });

  it('reads metrics as texts', () => {
    const metrics = { CALL_DURATION: 30, CALL_TURN: ['a', 'b'], ONE: ['x'], NONE: [], OFF: false };
    expect(read({ metrics }).metrics).toEqual({
      CALL_DURATION: '30',
      CALL_TURN: ['a', 'b'],
      ONE: 'x',
      OFF: 'false',
    });
  });

  it('keeps the times of the turns as a list when there is one turn alone (CV-12)', () => {
    expect(read({ metrics: { CALL_TURN: ['a'] } }).metrics).toEqual({ CALL_TURN: ['a'] });
    expect(read({ metrics: { CALL_TURN: 'a' } }).metrics).toEqual({ CALL_TURN: ['a'] });
  });

  it('keeps a numeric latency of a turn, and fills in the rest of the turn', () => {
    const { turns } = read({ turns: [{ user_input: 'hi', latency: 1.25 }, { latency: { total: 1 } }] });
    expect(turns[0]).toMatchObject({
      user_input: 'hi',
      latency: 1.25,
      is_silence: false,
      user_input_dtmf: '',
    });
    expect(turns[1]).not.toHaveProperty('latency');
  });

  it('drops unknown fields of a record', () => {
    expect(read({ future: 1 })).not.toHaveProperty('future');
  });
});

describe('a record of v1', () => {
  it('keeps missing fields of a v1 record missing, and null null', () => {
    const raw = {
      id: 'a',
      started_at: '02/03/2026',
      variant_id: null,
      polyai_duration: 3,
      turns: [{ user_input: null }],
    };
    expect(v.parse(legacyConversationReader, raw)).toEqual({
      id: 'a',
      started_at: '02/03/2026',
      variant_id: null,
      platform_duration: 3,
      turns: [{ user_input: null }],
    });
  });
});

describe('the schema that writers keep to', () => {
  it('requires every field from a writer, in the order of the contract', () => {
    expect(Object.keys(fieldsOf(conversationSchema) ?? {})).toEqual(Object.keys(read({})));
    expect(v.safeParse(conversationSchema, read({})).success).toBe(true);
    expect(v.safeParse(conversationSchema, required).success).toBe(false);
  });
});
