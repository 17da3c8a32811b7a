import { afterEach, describe, expect, it } from 'vitest';
import { createProxyFixture, PAGE_ORIGIN, type ProxyFixture } from '../../test/proxy-fixture.ts';
import type { OnSearch } from './search-route.ts';

const DOGS = { title: 'Travelling with pets', url: 'https://www.kittiwake.example/help/pets' };

let fixture: ProxyFixture;
afterEach(() => fixture.upstream.close());

type Overrides = Parameters<typeof createProxyFixture>[0];
async function start(onSearch: OnSearch | undefined, others: Overrides = {}): Promise<void> {
  fixture = await createProxyFixture({ ...(onSearch && { onSearch }), ...others });
}
const search = async (body: object) => {
  const response = await fixture.post('/v1/search', body);
  return { status: response.status, body: Object(await response.json()) };
};
const look = (origin: string) =>
  fixture.proxy(
    new Request('https://chat.kittiwake.example/v1/search', { headers: origin ? { Origin: origin } : {} }),
  );

describe('POST /v1/search', () => {
  it('passes a trimmed query to the hook, without a session, and does not log it', async () => {
    const calls: unknown[] = [];
    await start((query, { signal: _, ...context }) => {
      calls.push([query, context]);
      return [{ ...DOGS, excerpt: 'Dogs\n are  welcome.' }];
    });
    expect(await search({ query: ' my dog ', language: 'de' })).toEqual({
      status: 200,
      body: { articles: [{ ...DOGS, excerpt: 'Dogs are welcome.' }] },
    });
    expect(calls).toEqual([
      [
        { query: 'my dog', language: 'de' },
        { connector: 'default', origin: PAGE_ORIGIN },
      ],
    ]);
    expect(fixture.upstream.seen).toEqual([]);
    expect(JSON.stringify(fixture.logLines)).not.toMatch(/dog/i);
  });

  it.each([
    [{ query: 'a\nb' }, 'query'],
    [{ query: 'x'.repeat(201) }, 'query'],
    [{ query: 'x', language: '../etc' }, 'language'],
    [{ query: 'x', page: 2 }, 'page'],
    [{}, 'query'],
  ])('refuses %j before the hook is called', async (body, field) => {
    await start(() => {
      throw new Error('called');
    });
    const answer = await search(body);
    expect([answer.status, answer.body.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(answer.body.message).toContain(`"${field}"`);
  });

  it('refuses a search body of more than 4 kB, and an unknown connector', async () => {
    await start(() => []);
    expect((await search({ query: 'x'.repeat(5_000) })).status).toBe(413);
    expect((await search({ query: 'x', connector: 'other' })).body.message).toContain('"other"');
  });

  it('asks the hook for the most read articles with an empty query', async () => {
    const asked: string[] = [];
    await start(({ query }) => {
      asked.push(query);
      return [DOGS];
    });
    expect((await search({ query: ' ' })).body.articles).toHaveLength(1);
    expect(asked).toEqual(['']);
  });

  it('returns ten articles, and cuts long titles and excerpts between characters', async () => {
    await start(() => Array(30).fill({ ...DOGS, title: '🐕'.repeat(300), excerpt: 'x '.repeat(900) }));
    const { articles } = (await search({ query: 'dog' })).body;
    expect(articles).toHaveLength(10);
    expect([...articles[0].title]).toHaveLength(200);
    expect(articles[0].title).toMatch(/^(🐕)+…$/u);
    expect(articles[0].excerpt).toHaveLength(160);
  });

  it.each([
    ['no list', null],
    ['no title', [{ url: DOGS.url }]],
    ['a script for an address', [{ ...DOGS, url: 'javascript:alert(1)' }]],
    ['a password without a user in an address', [{ ...DOGS, url: 'https://:password@example.com/' }]],
    ['an address without a host', [{ ...DOGS, url: '/help/pets' }]],
    ['a password in an address', [{ ...DOGS, url: 'https://a:b@www.kittiwake.example/' }]],
  ])('answers 500 when the search hook returns %s', async (_, found) => {
    await start(() => found as never);
    expect((await search({ query: 'dog' })).body.code).toBe('INTERNAL');
    expect(fixture.logLines.at(-1)?.level).toBe('error');
  });

  it('calls the authorize hook for searches, and counts them separately from sessions', async () => {
    const routes: string[] = [];
    await start(() => [], {
      authorize: (_, { route }) => routes.push(route) < 2,
      limits: { searchesPerClient: 3, searchesTotal: 0 },
    });
    expect((await search({ query: 'dog' })).status).toBe(200);
    expect((await search({ query: 'dog' })).status).toBe(403);
    expect(routes).toEqual(['search', 'search']);
    await search({ query: 'dog' });
    expect((await search({ query: 'dog' })).body.code).toBe('RATE_LIMITED');
    expect((await fixture.post('/v1/session', {})).status).toBe(403);
  });
});

describe('POST /v1/article', () => {
  const article = async (body: object) => {
    const response = await fixture.post('/v1/article', body);
    return { status: response.status, body: Object(await response.json()) };
  };
  const found = { ...DOGS, id: 'pets' };

  it('returns the text of an article that the search has named', async () => {
    const calls: unknown[] = [];
    await start(() => [found], {
      onArticle: (request, { signal: _, ...context }) => {
        calls.push([request, context]);
        return { ...DOGS, text: '**Dogs** are welcome.', draft: 'not for visitors' };
      },
    });
    expect((await search({ query: 'dog' })).body.articles).toEqual([{ ...found, excerpt: '' }]);
    expect(await article({ id: 'pets', language: 'de' })).toEqual({
      status: 200,
      body: { ...DOGS, text: '**Dogs** are welcome.' },
    });
    expect(calls).toEqual([
      [
        { id: 'pets', language: 'de' },
        { connector: 'default', origin: PAGE_ORIGIN },
      ],
    ]);
  });

  it('answers an unknown article, and all without a hook, with 404; and then the search names none', async () => {
    await start(() => [found], { onArticle: () => null });
    expect((await article({ id: 'cats' })).body).toMatchObject({ code: 'NOT_FOUND' });
    await start(() => [found]);
    expect((await article({ id: 'pets' })).body).toMatchObject({ code: 'NOT_FOUND' });
    expect((await search({ query: 'dog' })).body.articles).toEqual([{ ...DOGS, excerpt: '' }]);
  });

  it.each([[{}], [{ id: '' }], [{ id: 'a\nb' }], [{ id: 'x'.repeat(201) }], [{ id: 'a', url: '/' }]])(
    'refuses %j before the hook is called',
    async (body) => {
      await start(() => [], {
        onArticle: () => {
          throw new Error('called');
        },
      });
      expect((await article(body)).body.code).toBe('INVALID_REQUEST');
    },
  );

  it('cuts a text of more than 50,000 characters, and refuses an address that is no page', async () => {
    await start(() => [], { onArticle: () => ({ ...DOGS, text: '🐕'.repeat(60_000) }) });
    expect([...(await article({ id: 'pets' })).body.text]).toHaveLength(50_001);
    await start(() => [], { onArticle: () => ({ ...DOGS, text: '', url: 'javascript:alert(1)' }) });
    expect((await article({ id: 'pets' })).body.code).toBe('INTERNAL');
  });

  it('counts against the limit of searches, after the authorize hook', async () => {
    const routes: string[] = [];
    await start(() => [], {
      onArticle: () => ({ ...DOGS, text: 'Dogs.' }),
      authorize: (_, { route }) => routes.push(route) > 0,
      limits: { searchesPerClient: 1, searchesTotal: 0 },
    });
    expect((await article({ id: 'pets' })).status).toBe(200);
    expect((await article({ id: 'pets' })).body.code).toBe('RATE_LIMITED');
    expect(routes).toEqual(['article']);
  });
});

describe('GET /v1/search', () => {
  it('returns the search limits to allowed pages only', async () => {
    await start(() => []);
    expect(await (await look(PAGE_ORIGIN)).json()).toEqual({ max_query_characters: 200 });
    expect((await look('https://elsewhere.example')).status).toBe(403);
  });

  it('answers searches without a hook with 404', async () => {
    await start(undefined);
    expect((await look(PAGE_ORIGIN)).status).toBe(404);
    expect((await search({ query: 'dog' })).body).toMatchObject({ code: 'NOT_FOUND' });
  });
});
