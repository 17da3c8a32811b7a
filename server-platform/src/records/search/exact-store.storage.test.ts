import { afterEach, expect, it } from 'vitest';
import { type RestFixture, startRestFixture } from '../../../test/api/rest/rest-fixture.ts';
import { describeStorage } from '../../../test/db/describe-storage.ts';
import { NOON_MS, recorded } from '../../../test/records/conversations/recorded.ts';
import { type ConversationChange, writeConversations } from '../../realtime/event-log/index.ts';
import { erase } from '../erasure/erase.ts';
import { createExactStore } from './exact-store.ts';
import type { SimilarSearch } from './vector-store.ts';

const EMBEDDER = 'angles';
const HOUR_MS = 3_600_000;

/** A vector by its angle in degrees, padded with zeros to `size` numbers. */
function at(degrees: number, size = 2): Float32Array {
  const angle = (degrees / 180) * Math.PI;
  const vector = new Float32Array(size);
  vector.set([Math.cos(angle), Math.sin(angle)]);
  return vector;
}

describeStorage('vectors that a search reads and compares', (engine) => {
  let rest: RestFixture;
  afterEach(() => rest.stop());

  type Start = Partial<NonNullable<ConversationChange['start']>>;
  /** Stores conversations and their vectors, by name. */
  const store = async (vectors: Readonly<Record<string, Float32Array>>, start: Start = {}): Promise<void> => {
    const entries = Object.entries(vectors).map(([name, vector]) => ({ id: `CONV-${name}`, vector }));
    await writeConversations(
      rest.database,
      entries.map(({ id }) => recorded(rest, id, { start })),
    );
    await rest.database.tx((sql) => createExactStore(rest.database, EMBEDDER).put(sql, entries));
  };
  const find = async (
    limit: number,
    query: Partial<SimilarSearch['query']> = {},
    vector = at(0),
  ): Promise<string> => {
    const { ids } = await createExactStore(rest.database, EMBEDDER).findSimilar({
      projectId: rest.project.id,
      query: { client_env: 'live', channel: [], ...query },
      vector,
      limit,
    });
    return ids.map((id) => id.replace('CONV-', '')).join(' ');
  };

  it('finds the most similar conversations, ordered by their start, within the filter', async () => {
    rest = await startRestFixture({ engine });
    await store({ A: at(50), B: at(10) }, { atMs: NOON_MS + HOUR_MS });
    await store({ C: at(20), D: at(90) });
    await store({ E: at(0) }, { environment: 'sandbox' });
    await store({ F: at(5), G: at(6), H: at(7), I: at(8) }, { channel: 'SMS', variantId: 'v' });
    expect(await find(2, { channel: ['WEBCHAT'] })).toBe('C B');
    expect(await find(3)).toBe('F G H');
    expect(await find(1, { client_env: 'sandbox' })).toBe('E');
    expect(await find(1, { start_time: NOON_MS + 1 })).toBe('B');
    expect(await find(1, { end_time: NOON_MS })).toBe('');
    expect(await find(9, { variant_id: 'v', end_time: NOON_MS + 1 })).toBe('F G H I');
    expect(await find(1, { in_progress: false })).toBe('');
  });

  it('finds a replaced vector, and none of an erased conversation', async () => {
    rest = await startRestFixture({ engine });
    await store({ A: at(10), B: at(20), C: at(30) });
    expect(await find(1)).toBe('A');
    await store({ A: at(90) });
    expect(await find(1)).toBe('B');
    await erase(rest.database, rest.project, { kind: 'conversation', id: 'CONV-B' });
    expect(await find(3)).toBe('A C');
  });

  it('omits vectors of another size or embedder', async () => {
    rest = await startRestFixture({ engine });
    await store({ A: at(10), B: at(5, 3), C: at(0) });
    await rest.database.query(
      "UPDATE conversation_vectors SET embedder = 'other' WHERE conversation_id = 'CONV-C'",
    );
    expect(await find(3)).toBe('A');
  });

  it('reads vectors page by page, fewer at a time if they are large', async () => {
    rest = await startRestFixture({ engine });
    // Two megabytes hold four of these vectors.
    const size = 131_072;
    const names = Array.from({ length: 9 }, (_, index) => `N${index}`);
    await store(Object.fromEntries(names.map((name, index) => [name, at(90 - index * 10, size)])));
    expect(await find(2, {}, at(0, size))).toBe('N7 N8');
  });
});
