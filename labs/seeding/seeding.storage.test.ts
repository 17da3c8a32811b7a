import { describe, expect, it } from 'vitest';
import type { ConversationChange } from '../../server-platform/src/realtime/event-log/index.ts';
import { describeStorage } from '../../server-platform/test/db/describe-storage.ts';
import { createArrivals } from './arrivals.ts';
import { believableConversation } from './believable-conversation.ts';
import { type SeedPlan, seedConversations } from './seed-conversations.ts';

const HOUR_MS = 3_600_000;
const UNTIL_MS = Date.UTC(2026, 2, 9);
const PLAN: SeedPlan = {
  seed: 7,
  conversations: 200,
  days: 2,
  untilMs: UNTIL_MS,
  projectId: 'PROJECT-1',
  connectorId: null,
};

function conversation(index: number, fields: { seed?: number; untilMs?: number } = {}): ConversationChange {
  const setting = { seed: 1, projectId: 'PROJECT-1', connectorId: null, untilMs: UNTIL_MS, index, ...fields };
  return believableConversation({ ...setting, startedAtMs: UNTIL_MS - HOUR_MS });
}

const many = Array.from({ length: 2_000 }, (_, index) => conversation(index));
const shareOf = (isOne: (change: ConversationChange) => boolean): number =>
  many.filter(isOne).length / many.length;

describe('a believable conversation', () => {
  it('a seeded conversation is the same for the same seed and index, and another for others', () => {
    expect(conversation(3)).toEqual(conversation(3));
    expect(conversation(3).turns).not.toEqual(conversation(4).turns);
    expect(conversation(3).turns).not.toEqual(conversation(3, { seed: 2 }).turns);
  });

  it('a seeded conversation starts with the greeting, and its times only increase', () => {
    for (const { start, turns = [], end } of many) {
      expect(turns[0]).toMatchObject({ kind: 'greeting', userInputAtMs: null });
      const times = [
        start?.atMs ?? 0,
        ...turns.map(({ atMs }) => atMs),
        ...(end === undefined ? [] : [end.atMs]),
      ];
      expect(times).toEqual([...times].sort((a, b) => a - b));
    }
  });

  it('seeded conversations cover every channel, variant and language, and some hand-offs, silences and unusual questions', () => {
    const kinds = (name: 'channel' | 'variantId' | 'language'): number =>
      new Set(many.map(({ start }) => start?.[name])).size;
    expect([kinds('channel'), kinds('variantId'), kinds('language')]).toEqual([5, 3, 4]);
    expect(shareOf(({ handoff }) => handoff !== undefined)).toBeCloseTo(0.11, 1);
    expect(
      shareOf(({ turns }) => turns?.some(({ isSilence }) => isSilence === true) ?? false),
    ).toBeGreaterThan(0.01);
    expect(shareOf(({ turns }) => turns?.some(({ isOod }) => isOod === true) ?? false)).toBeGreaterThan(0.02);
  });

  it('a seeded conversation has numbers if and only if it is a call', () => {
    for (const { start } of many) {
      const isCall = start?.channel === 'VOICE-SIP';
      expect([start?.fromNumber !== '', start?.toNumber !== '']).toEqual([isCall, isCall]);
    }
  });

  it('a seeded conversation has no missing field', () => {
    const texts = many.flatMap(({ turns = [] }) =>
      turns.map((turn) => `${turn.userInput} ${turn.agentResponse}`),
    );
    expect(texts.filter((text) => /[{}]/.test(text))).toEqual([]);
  });

  it('a seeded conversation is in progress when it reaches the end of the filled time', () => {
    const startedAtMs = UNTIL_MS - HOUR_MS;
    const { turns, end, handoff } = conversation(1, { untilMs: startedAtMs + 4_000 });
    expect([end, handoff]).toEqual([undefined, undefined]);
    expect(turns?.every(({ atMs }) => atMs <= startedAtMs + 4_000)).toBe(true);
  });
});

it('conversations arrive by day more often than by night, all within the days', () => {
  const arrivals = createArrivals(7, UNTIL_MS);
  const times = Array.from({ length: 10_000 }, (_, index) => arrivals(index / 10_000));
  expect(times).toEqual([...times].sort((a, b) => a - b));
  expect(times[0]).toBeGreaterThanOrEqual(UNTIL_MS - 7 * 24 * HOUR_MS);
  expect(times.at(-1)).toBeLessThan(UNTIL_MS);
  const within = (from: number, to: number): number =>
    times.filter((ms) => new Date(ms).getUTCHours() >= from && new Date(ms).getUTCHours() < to).length;
  expect(within(9, 13)).toBeGreaterThan(10 * within(0, 4));
});

describeStorage('seeding', (engine) => {
  it('writes the same conversations once, however often it runs', async () => {
    const place = await engine.open();
    const counts = (): Promise<readonly unknown[]> =>
      place.database.query(
        `SELECT (SELECT count(*) FROM conversations) AS conversations, (SELECT count(*) FROM conversation_turns) AS turns,
                (SELECT sum(num_turns)::bigint FROM conversations) AS counted`,
      );
    const { conversations, turns } = await seedConversations(place.database, PLAN);
    expect(conversations).toBe(200);
    expect(await counts()).toEqual([{ conversations: 200, turns, counted: turns }]);
    await seedConversations(place.database, PLAN);
    expect(await counts()).toEqual([{ conversations: 200, turns, counted: turns }]);
    await place.close();
  });
});
