import { afterEach, describe, expect, it } from 'vitest';
import { type RestFixture, startRestFixture } from '../../../test/api/rest/rest-fixture.ts';
import { listen } from '../../../test/api/voice/listen.ts';
import { describeStorage } from '../../../test/db/describe-storage.ts';
import { createDoor } from '../../../test/realtime/scripted-agent.ts';
import { recorded, said } from '../../../test/records/conversations/recorded.ts';
import { createOutboundClient } from '../../kit/http/outbound/index.ts';
import { writeConversations } from '../../realtime/event-log/index.ts';
import { type Embedder, RefusedTextError } from './embedder.ts';
import { createHashedEmbedder } from './hashed-embedder.ts';
import { createHttpEmbedder } from './http-embedder.ts';
import { openSemanticSearch, type SemanticSearch } from './semantic-search.ts';

const { signal } = new AbortController();

function similarity(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
}

describe('hashed vectors', () => {
  const embedder = createHashedEmbedder();
  const compare = async (query: string, ...texts: readonly string[]): Promise<readonly number[]> => {
    const vectors = await embedder.embedConversations(
      texts.map((user) => ({ user, agent: '' })),
      signal,
    );
    const wanted = await embedder.embedQuery(query, signal);
    return vectors.map((vector) => similarity(vector, wanted));
  };

  it('computes hashed vectors of length 1, the same every time', async () => {
    const [again] = await compare('The boat leaves at nine', 'The boat leaves at nine');
    expect(again).toBeCloseTo(1, 5);
  });

  it.each([
    ['refunding invoices', 'I want a refund for my invoice', 'Which boat goes to the island?'],
    ['timetabel of the boats', 'timetable of the boats', 'price of the parking'],
    ['Fährverbindungen', 'Gibt es eine Fährverbindung?', 'Ich suche meine Rechnung'],
    ['船の予約', '船の予約をしたいです', '駐車場はどこですか'],
  ])('places “%s” nearer to other forms of its words', async (query, near, far) => {
    const [first = 0, second = 0] = await compare(query, near, far);
    expect(first).toBeGreaterThan(second + 0.1);
  });

  it('yields to other work between the hashed vectors of two conversations', async () => {
    let turns = 0;
    let isDone = false;
    const count = (): void => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    await embedder.embedConversations(Array(20).fill({ user: 'boat', agent: '' }), signal);
    isDone = true;
    expect(turns).toBeGreaterThanOrEqual(20);
  });

  it('computes a zero vector for an empty text, without NaN', async () => {
    expect([...(await embedder.embedQuery('…', signal))].every((value) => value === 0)).toBe(true);
  });
});

describe('an embeddings endpoint', () => {
  const client = createOutboundClient({ allowsPrivateAddresses: true });
  const answering = (
    status: number,
    answer: (input: readonly string[]) => unknown,
  ): ReturnType<typeof listen> =>
    listen(({ body }, response) => {
      response.writeHead(status, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify(answer(JSON.parse(String(body)).input)));
    });
  const embedderOf = (url: string): Embedder =>
    createHttpEmbedder({ url: `${url}/v1`, model: 'small', apiKey: 'secret' }, client);
  const vectors = (input: readonly string[]): unknown => ({
    // In another order than asked for, as the interface allows.
    data: input.map((text, index) => ({ index, embedding: [text.length, 0, 1] })).reverse(),
  });
  it('requests embeddings of many texts at once, and restores their order', async () => {
    await using server = await answering(200, vectors);
    const embedder = embedderOf(server.url);
    const texts = Array.from({ length: 100 }, (_, index) => ({ user: 'x'.repeat(index), agent: '' }));
    const made = await embedder.embedConversations(texts, signal);
    expect(server.requests.map(({ request }) => [request.url, request.headers.authorization])).toEqual([
      ['/v1/embeddings', 'Bearer secret'],
      ['/v1/embeddings', 'Bearer secret'],
    ]);
    expect(JSON.parse(String(server.requests[0]?.body))).toMatchObject({ model: 'small' });
    expect(made).toHaveLength(100);
    expect(made.map(([first = 0, , third = 0]) => Math.round(first / third))).toEqual(
      texts.map(({ user }) => user.length + 1),
    );
  });

  it.each([
    [401, () => ({}), 'answered 401'],
    [200, () => ({ data: [] }), 'one vector for each text'],
    [200, () => 'no', 'one vector for each text'],
  ])(
    'names a %s answer of the embeddings endpoint in the error, without the key',
    async (status, answer, text) => {
      await using server = await answering(status, answer);
      const failure = await embedderOf(server.url)
        .embedQuery('boat', signal)
        .then(
          () => null,
          (error: unknown) => String(error),
        );
      expect(failure).toContain(text);
      expect(failure).not.toContain('secret');
    },
  );
});

describeStorage('the vectors of conversations', (engine) => {
  let rest: RestFixture;
  const searches: SemanticSearch[] = [];
  afterEach(async () => {
    for (const search of searches.splice(0)) await search.close();
    await rest.stop();
  });

  const open = async (embedder: Embedder, node = 'node-a'): Promise<SemanticSearch> => {
    const { database, clock, scheduler, onFailure } = rest.services;
    const search = await openSemanticSearch({ database, embedder, clock, scheduler, node, onFailure });
    searches.push(search);
    return search;
  };
  const find = async (search: SemanticSearch, query: string): Promise<readonly string[]> => {
    const rows = await search.find(rest.project.id, {
      client_env: 'live',
      channel: [],
      limit: 1,
      offset: 0,
      include_latency: false,
      include_context_state: false,
      include_turn_metadata: false,
      query_type: 'semantic',
      query,
    });
    return rows.ids;
  };
  /** Knows two topics, by the first letter of the text. */
  const byLetter = (name: string): Embedder => {
    const embed = (text: string): Float32Array => Float32Array.from(text.startsWith('a') ? [1, 0] : [0, 1]);
    return {
      name,
      embedConversations: async (texts) => texts.map(({ user }) => embed(user)),
      embedQuery: async (query) => embed(query),
    };
  };

  it('compares vectors in the database if it can, and exactly in the process otherwise', async () => {
    rest = await startRestFixture({ engine });
    await writeConversations(rest.database, [
      recorded(rest, 'CONV-A', { turns: [said('apple', '')] }),
      recorded(rest, 'CONV-B', { turns: [said('bread', '')] }),
    ]);
    const search = await open(byLetter('letters'));
    const [installed] = await rest.database.query(
      "SELECT 1 FROM pg_available_extensions WHERE name = 'vector'",
    );
    expect(search.kind).toBe(installed === undefined ? 'exact' : 'pgvector');
    expect(await find(search, 'butter')).toEqual(['CONV-B']);
    expect(await find(search, 'ale')).toEqual(['CONV-A']);
  });

  it('embeds the first words of long messages and long conversations', async () => {
    rest = await startRestFixture({ engine });
    const turns = Array.from({ length: 12 }, (_, ordinal) => said('u'.repeat(7_000), `a${ordinal}`));
    const many = Array.from({ length: 300 }, (_, ordinal) => said(`u${ordinal}`, `a${ordinal}`));
    await writeConversations(rest.database, [recorded(rest, 'CONV-A', { turns })]);
    await writeConversations(rest.database, [recorded(rest, 'CONV-B', { turns: many })]);
    const spoken: { user: string; agent: string }[] = [];
    const search = await open({
      ...byLetter('letters'),
      async embedConversations(texts, aborted) {
        spoken.push(...texts);
        return await byLetter('letters').embedConversations(texts, aborted);
      },
    });
    await search.index(10);
    const [long, short] = spoken.sort((one, other) => other.user.length - one.user.length);
    expect(long?.user.length).toBe(16_384);
    expect(long?.user.indexOf('\n')).toBe(4_096);
    expect(long?.agent).toMatch(/^a0\na1\n/);
    expect(short?.user).toMatch(/^u0\nu1\n.*\nu199$/s);
    expect(short?.agent).toMatch(/\na199$/);
  });

  it('computes vectors again when another embedder is configured', async () => {
    rest = await startRestFixture({ engine });
    await writeConversations(rest.database, [recorded(rest, 'CONV-A', { turns: [said('apple', '')] })]);
    expect(await (await open(byLetter('one'))).index(10)).toBe(1);
    expect(await (await open(byLetter('one'))).index(10)).toBe(0);
    const other = await open(byLetter('two'));
    expect(await find(other, 'apple')).toEqual(['CONV-A']);
    expect(await other.index(10)).toBe(0);
  });

  it('computes vectors in the background while there are no searches', async () => {
    rest = await startRestFixture({ engine });
    await open(byLetter('letters'));
    await writeConversations(rest.database, [recorded(rest, 'CONV-A', { turns: [said('apple', '')] })]);
    rest.clock.skip(20_000);
    await expect
      .poll(() => rest.database.query('SELECT conversation_id FROM conversation_vectors'))
      .toEqual([{ conversation_id: 'CONV-A' }]);
  });

  it('reports vectors that cannot be computed, and searches the others', async () => {
    rest = await startRestFixture({ engine });
    const embedder = byLetter('letters');
    let isBroken = false;
    const search = await open({
      ...embedder,
      embedConversations: (texts, aborted) =>
        isBroken ? Promise.reject(new Error('away')) : embedder.embedConversations(texts, aborted),
    });
    await writeConversations(rest.database, [recorded(rest, 'CONV-A', { turns: [said('apple', '')] })]);
    await search.index(10);
    isBroken = true;
    await writeConversations(rest.database, [recorded(rest, 'CONV-B', { turns: [said('bread', '')] })]);
    expect(await find(search, 'butter')).toEqual(['CONV-A']);
    expect(rest.failures).toEqual(['compute vectors of conversations: Error: away']);
  });

  it('computes every vector but one whose text is refused, and retries that one later', async () => {
    rest = await startRestFixture({ engine });
    const embedder = byLetter('letters');
    let batches = 0;
    const search = await open({
      ...embedder,
      embedConversations(texts, aborted) {
        batches += 1;
        return texts.some(({ user }) => user === 'refused')
          ? Promise.reject(new RefusedTextError('too long'))
          : embedder.embedConversations(texts, aborted);
      },
    });
    const words = Array.from({ length: 20 }, (_, n) => (n === 13 ? 'refused' : `apple ${n}`));
    await writeConversations(
      rest.database,
      words.map((word, n) => recorded(rest, `CONV-${n}`, { turns: [said(word, '')] })),
    );
    await search.index(100);
    const [made] = await rest.database.query('SELECT count(*) AS n FROM conversation_vectors');
    expect(made).toEqual({ n: 19 });
    expect(rest.failures).toEqual(['compute the vector of a conversation: RefusedTextError: too long']);
    batches = 0;
    expect(await search.index(100)).toBe(0);
    expect(batches).toBe(0);
    await rest.database.query('UPDATE conversations SET vector_due_at = 0');
    expect(await search.index(100)).toBe(1);
    const [put] = await rest.database.query(
      'SELECT vector_failures AS n FROM conversations WHERE needs_vector',
    );
    expect(put).toEqual({ n: 2 });
  });

  it('computes each vector once on any number of nodes, and a search waits for vectors of other nodes', async () => {
    rest = await startRestFixture({ engine });
    const made: string[] = [];
    const door = createDoor();
    const embedderOf = (node: string): Embedder => ({
      ...byLetter('letters'),
      async embedConversations(texts, aborted) {
        if (node === 'node-a') await door.opened;
        made.push(...texts.map(({ user }) => user));
        return await byLetter('letters').embedConversations(texts, aborted);
      },
    });
    await writeConversations(rest.database, [
      recorded(rest, 'CONV-A', { turns: [said('apple', '')] }),
      recorded(rest, 'CONV-B', { turns: [said('bread', '')] }),
    ]);
    const first = await open(embedderOf('node-a'), 'node-a');
    const second = await open(embedderOf('node-b'), 'node-b');
    const making = first.index(100);
    await expect
      .poll(() => rest.database.query("SELECT 1 FROM conversations WHERE vector_claimed_by = 'node-a'"))
      .toHaveLength(2);
    expect(await second.index(100)).toBe(0);
    const found = find(second, 'ale');
    door.open();
    expect(await making).toBe(2);
    expect(await found).toEqual(['CONV-A']);
    expect(made.sort()).toEqual(['apple', 'bread']);
  });

  it('computes the vectors that a dead node had claimed on another node, or after the restart', async () => {
    rest = await startRestFixture({ engine });
    await writeConversations(rest.database, [recorded(rest, 'CONV-A', { turns: [said('apple', '')] })]);
    const claim = (): Promise<unknown> =>
      rest.database.query(
        "UPDATE conversations SET vector_claimed_by = 'node-a', vector_due_at = 32503680000000, needs_vector = true",
      );
    await claim();
    expect(await (await open(byLetter('letters'), 'node-b')).index(10)).toBe(0);
    expect(await (await open(byLetter('letters'), 'node-a')).index(10)).toBe(1);
    await claim();
    await rest.database.query('UPDATE conversations SET vector_due_at = 1');
    expect(await (await open(byLetter('letters'), 'node-b')).index(10)).toBe(1);
  });

  it('stores no vector for a conversation deleted meanwhile', async () => {
    rest = await startRestFixture({ engine });
    await writeConversations(rest.database, [recorded(rest, 'CONV-A', { turns: [said('apple', '')] })]);
    const search = await open({
      ...byLetter('letters'),
      async embedConversations(texts, aborted) {
        await rest.database.query('DELETE FROM conversations');
        return await byLetter('letters').embedConversations(texts, aborted);
      },
    });
    await search.index(10);
    expect(await rest.database.query('SELECT 1 FROM conversation_vectors')).toEqual([]);
  });
});
