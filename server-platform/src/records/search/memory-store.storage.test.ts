import { afterEach, expect, it } from 'vitest';
import { type RestFixture, startRestFixture } from '../../../test/api/rest/rest-fixture.ts';
import { describeStorage } from '../../../test/db/describe-storage.ts';
import { createDoor } from '../../../test/realtime/scripted-agent.ts';
import { NOON_MS, recorded } from '../../../test/records/conversations/recorded.ts';
import { addProject } from '../../accounts/index.ts';
import { type ConversationChange, writeConversations } from '../../realtime/event-log/index.ts';
import { erase } from '../erasure/erase.ts';
import { HeldVectors } from './held-vectors.ts';
import { MemoryStore } from './memory-store.ts';
import type { SimilarSearch } from './vector-store.ts';
import { VectorThread } from './vector-thread.ts';

const EMBEDDER = 'angles';
const HOUR_MS = 3_600_000;

/** A vector by its angle in degrees. */
function at(degrees: number): Float32Array {
  const angle = (degrees / 180) * Math.PI;
  return Float32Array.from([Math.cos(angle), Math.sin(angle)]);
}

describeStorage('vectors in memory', (engine) => {
  let rest: RestFixture;
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
    await rest.stop();
  });

  const open = (maxBytes?: number): MemoryStore => {
    const now = (): number => rest.clock.now();
    const store = new MemoryStore({ database: rest.database, embedder: EMBEDDER, now, maxBytes });
    closing.push(() => store.close());
    return store;
  };
  type Start = Partial<NonNullable<ConversationChange['start']>>;
  /** Conversations and their vectors, by name and angle. */
  const store = async (
    through: MemoryStore,
    angles: Readonly<Record<string, number>>,
    start: Start = {},
  ): Promise<void> => {
    const names = Object.keys(angles);
    await writeConversations(
      rest.database,
      names.map((name) => recorded(rest, `CONV-${name}`, { start })),
    );
    await rest.database.tx((sql) =>
      through.put(
        sql,
        names.map((name) => ({ id: `CONV-${name}`, vector: at(angles[name] ?? 0) })),
      ),
    );
  };
  const find = async (
    through: MemoryStore,
    limit: number,
    query: Partial<SimilarSearch['query']> = {},
    projectId = rest.project.id,
  ): Promise<string> => {
    const { ids } = await through.findSimilar({
      projectId,
      query: { client_env: 'live', channel: [], ...query },
      vector: at(0),
      limit,
    });
    return ids.map((id) => id.replace('CONV-', '')).join(' ');
  };

  it('gives the most similar in the order of their begin, and nothing of what the filter excludes', async () => {
    rest = await startRestFixture({ engine });
    const node = open();
    await store(node, { A: 50, B: 10 }, { atMs: NOON_MS + HOUR_MS });
    await store(node, { C: 20, D: 90 });
    await store(node, { E: 0 }, { environment: 'sandbox' });
    await store(node, { F: 5, G: 6, H: 7, I: 8 }, { channel: 'SMS', variantId: 'v' });
    expect(await find(node, 2, { channel: ['WEBCHAT'] })).toBe('C B');
    expect(await find(node, 3)).toBe('F G H');
    expect(await find(node, 1, { client_env: 'sandbox' })).toBe('E');
    expect(await find(node, 1, { start_time: NOON_MS + 1 })).toBe('B');
    expect(await find(node, 1, { end_time: NOON_MS })).toBe('');
    expect(await find(node, 9, { variant_id: 'v', end_time: NOON_MS + 1 })).toBe('F G H I');
    expect(await find(node, 1, { in_progress: false })).toBe('');
  });

  it('are those that another node has stored since, also of conversations that went on', async () => {
    rest = await startRestFixture({ engine });
    const [node, other] = [open(), open()];
    await store(node, { A: 10, B: 20 });
    expect(await find(node, 1)).toBe('A');
    await store(other, { C: 5 });
    await rest.database.tx((sql) => other.put(sql, [{ id: 'CONV-A', vector: at(90) }]));
    expect(await find(node, 1)).toBe('C');
    expect(await find(node, 2)).toBe('B C');
  });

  it.skipIf(engine.name === 'pglite')('are those of a transaction that ends after a later one', async () => {
    rest = await startRestFixture({ engine });
    const node = open();
    await store(node, { A: 30, B: 40 });
    const [written, door] = [createDoor(), createDoor()];
    const slow = rest.database.tx(async (sql) => {
      await node.put(sql, [{ id: 'CONV-B', vector: at(0) }]);
      written.open();
      await door.opened;
    });
    await written.opened;
    await store(node, { C: 20 });
    expect(await find(node, 1)).toBe('C');
    door.open();
    await slow;
    expect(await find(node, 1)).toBe('B');
  });

  it('of an erased conversation are in no answer of any node from then on, and leave the memory', async () => {
    rest = await startRestFixture({ engine });
    const [node, other] = [open(), open()];
    await store(node, { A: 10, B: 20, C: 30 });
    const thread = new VectorThread();
    closing.push(() => thread.end());
    const place = { projectId: rest.project.id, environment: 'live' as const, embedder: EMBEDDER, size: 2 };
    const held = new HeldVectors({
      ...place,
      database: rest.database,
      thread,
      most: 9,
      onGrown: async () => true,
    });
    await held.catchUp();
    expect([await find(node, 1), await find(other, 1), held.bytes]).toEqual(['A', 'A', 24]);
    await erase(rest.database, rest.project, { kind: 'conversation', id: 'CONV-A' });
    expect([await find(node, 1), await find(other, 2)]).toEqual(['B', 'B C']);
    await held.checkSome();
    expect(held.bytes).toBe(16);
  });

  it('that are too many for the memory are compared all the same', async () => {
    rest = await startRestFixture({ engine });
    const node = open(16);
    await store(node, { A: 10, B: 50 });
    expect(await find(node, 1)).toBe('A');
    await store(node, { C: 5, D: 60 });
    expect(await find(node, 2)).toBe('A C');
    await store(node, { E: 4 });
    expect(await find(node, 1)).toBe('E');
  });

  it('of the project searched last stay in memory, those of others are read again', async () => {
    rest = await startRestFixture({ engine });
    const node = open(16);
    const second = await addProject(rest.database, rest.account, { slug: 'second' });
    await store(node, { A: 10, B: 50 });
    await store(node, { C: 20, D: 60 }, { projectId: second.id });
    for (let turn = 0; turn < 2; turn += 1) {
      expect(await find(node, 1)).toBe('A');
      expect(await find(node, 1, {}, second.id)).toBe('C');
    }
    // Each drops what the other reads.
    const both = Array.from({ length: 6 }, (_, turn) =>
      find(node, 1, {}, turn % 2 === 0 ? rest.project.id : second.id),
    );
    expect(await Promise.all(both)).toEqual(['A', 'C', 'A', 'C', 'A', 'C']);
  });

  it('that nobody has searched for long are dropped, and read again for the next search', async () => {
    rest = await startRestFixture({ engine });
    const node = open();
    await store(node, { A: 10, B: 20 });
    expect(await find(node, 1)).toBe('A');
    // Without a transaction: only a store that reads all vectors sees the change.
    await rest.database.query(
      `UPDATE conversation_vectors SET vector = decode($1, 'base64'), changed_in = NULL
        WHERE conversation_id = 'CONV-B'`,
      [Buffer.from(at(0).buffer).toString('base64')],
    );
    await node.tidy();
    expect(await find(node, 1)).toBe('A');
    rest.clock.skip(HOUR_MS);
    await node.tidy();
    expect(await find(node, 1)).toBe('B');
  });

  it('of another size or another embedder are left out', async () => {
    rest = await startRestFixture({ engine });
    const node = open();
    await store(node, { A: 10, B: 5, C: 0 });
    await rest.database.tx((sql) => node.put(sql, [{ id: 'CONV-B', vector: Float32Array.from([1, 0, 0]) }]));
    await rest.database.query(
      "UPDATE conversation_vectors SET embedder = 'other' WHERE conversation_id = 'CONV-C'",
    );
    expect(await find(node, 3)).toBe('A');
  });
});
