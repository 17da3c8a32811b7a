import { describe, expect, it } from 'vitest';
import { hastyClock, type ScriptedAnswer, withServer } from '../../../testing/scripted-server.test.ts';
import { isNatterError } from '../../index.ts';

const record = (id: string): Record<string, unknown> => ({
  id,
  account_id: 'ACCOUNT-1',
  project_id: 'PROJECT-1',
  environment: 'live',
  started_at: '2026-03-02T09:15:00Z',
  channel: 'WEBCHAT',
  in_progress: false,
});
const page = (ids: readonly string[], end: Readonly<Record<string, unknown>> = {}): ScriptedAnswer => ({
  status: 200,
  body: { conversations: ids.map(record), descriptions: {}, ...end },
});
const collect = async <Item>(items: AsyncIterable<Item>): Promise<Item[]> => {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
};
const ids = (items: readonly { readonly id?: string | null | undefined }[]): unknown[] =>
  items.map(({ id }) => id);
const queries = (seen: readonly { readonly url: string }[]): string[] =>
  seen.map(({ url }) => url.split('?')[1] ?? '');
const codeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => null,
    (error: unknown) => (isNatterError(error) ? `${error.code}: ${error.message}` : error),
  );

describe('listing conversations', () => {
  it('requests one page of conversations with all parameters', async () => {
    await withServer([page(['a'], { next_offset: 7 })], async (natter, { seen }) => {
      const result = await natter.conversations.v3.list({
        start_time: new Date(Date.UTC(2026, 2, 1)),
        end_time: '2026-03-02T00:00:00+01:00',
        channel: ['voice', 'WEBCHAT'],
        variant_name: 'north sea',
        in_progress: false,
        limit: 2,
        offset: 5,
        include_latency: true,
        query_type: 'transcript',
        query: 'lost dog',
        turn_type: 'user',
      });
      expect(seen[0]?.method).toBe('GET');
      expect(seen[0]?.url).toBe(
        '/v3/acme/ferries/conversations?start_time=2026-03-01T00%3A00%3A00.000Z' +
          '&end_time=2026-03-02T00%3A00%3A00%2B01%3A00&channel=voice&channel=WEBCHAT&variant_name=north%20sea' +
          '&in_progress=false&limit=2&offset=5&include_latency=true&query_type=transcript&query=lost%20dog&turn_type=user',
      );
      expect(ids(result.conversations)).toEqual(['a']);
      expect(result.next_offset).toBe(7);
    });
  });

  it('lists nothing for an empty list of channels', async () => {
    await withServer([], async (natter, { seen }) => {
      const error = await codeOf(natter.conversations.v3.list({ channel: [] }));
      expect(error).toContain('INVALID_ARGUMENT: channel must not be an empty list: leave it out for all');
      expect(seen).toEqual([]);
    });
  });

  it('refuses a list query that the platform would refuse, before anything is sent', async () => {
    await withServer([], async (natter, { seen }) => {
      const { v1, v3 } = natter.conversations;
      expect(await codeOf(v3.list({ limit: 0 }))).toContain(
        'INVALID_ARGUMENT: limit must be an integer between 1 and 5000',
      );
      expect(await codeOf(v3.list({ start_time: 'yesterday' }))).toContain(
        'start_time must be an ISO 8601 time',
      );
      expect(await codeOf(v3.list({ start_time: new Date(Number.NaN) }))).toContain('start_time must be');
      const foreign: object = { cursor: 'x' };
      expect(await codeOf(v1.list(foreign))).toContain('cursor is not supported on v1');
      expect(seen).toEqual([]);
    });
  });

  it('walks the list by cursor with all other parameters unchanged', async () => {
    const script = [
      page(['a', 'b'], { cursor: 'c1', next_offset: 2 }),
      page(['c'], { cursor: 'c2' }),
      page([], { cursor: null }),
    ];
    await withServer(script, async (natter, { seen }) => {
      const found = await collect(
        natter.conversations.v3.iterate({ limit: 2, offset: 0, client_env: 'sandbox' }),
      );
      expect(ids(found)).toEqual(['a', 'b', 'c']);
      expect(queries(seen)).toEqual([
        'limit=2&offset=0&client_env=sandbox',
        'limit=2&client_env=sandbox&cursor=c1',
        'limit=2&client_env=sandbox&cursor=c2',
      ]);
    });
  });

  it('walks the list by offset where there is no cursor', async () => {
    const script = [page(['a', 'b'], { next_offset: 2 }), page(['c', 'd'], { next_offset: 4 }), page(['e'])];
    await withServer(script, async (natter, { seen }) => {
      const pages = await collect(natter.conversations.v2.pages({ limit: 2 }));
      expect(pages.map(({ conversations }) => ids(conversations))).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
      expect(queries(seen)).toEqual(['limit=2', 'limit=2&offset=2', 'limit=2&offset=4']);
    });
  });

  it('stops walking at the caller’s break without another request', async () => {
    await withServer([page(['a', 'b'], { cursor: 'c1' })], async (natter, { seen }) => {
      for await (const { id } of natter.conversations.v3.iterate()) {
        expect(id).toBe('a');
        break;
      }
      expect(seen).toHaveLength(1);
    });
  });

  it('does not walk in a circle', async () => {
    const stuck = page(['a'], { cursor: 'same' });
    await withServer([stuck, stuck, stuck], async (natter, { seen }) => {
      expect(await codeOf(collect(natter.conversations.v3.iterate()))).toContain(
        'the cursor of the next page',
      );
      expect(seen).toHaveLength(2);
    });
    await withServer([page(['a'], { next_offset: 0 })], async (natter) => {
      expect(await codeOf(collect(natter.conversations.v2.pages()))).toContain(
        'next_offset does not go forward',
      );
    });
  });
});

describe('a body that arrives in pieces', () => {
  it('yields each conversation before the rest of the page has been sent', async () => {
    const text = JSON.stringify({ conversations: [record('ä'), record('b')], cursor: null });
    const bytes = Buffer.from(text);
    // In the middle of the two bytes of ä, and after the first record.
    const first = bytes.indexOf(0xa4);
    const second = bytes.indexOf(Buffer.from('},{')) + 1;
    let goOn = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const answer: ScriptedAnswer = (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write(bytes.subarray(0, first));
      setImmediate(() => response.write(bytes.subarray(first, second)));
      gate.then(() => response.end(bytes.subarray(second)));
    };
    await withServer([answer], async (natter) => {
      const items = natter.conversations.v3.iterate();
      expect((await items.next()).value).toMatchObject({ id: 'ä' });
      goOn();
      expect((await items.next()).value).toMatchObject({ id: 'b' });
      expect((await items.next()).done).toBe(true);
    });
  });

  it('repeats the request when the connection breaks, without yielding a conversation twice', async () => {
    const { clock, waits } = hastyClock();
    const broken: ScriptedAnswer = (response) => {
      response.writeHead(200).write(`{"conversations":[${JSON.stringify(record('a'))},{"id":`);
      setImmediate(() => response.destroy());
    };
    await withServer(
      [broken, page(['a', 'b'], { cursor: null })],
      async (natter, { seen }) => {
        expect(ids(await collect(natter.conversations.v3.iterate()))).toEqual(['a', 'b']);
        expect(seen).toHaveLength(2);
        expect(waits).toHaveLength(1);
      },
      { clock, timeoutMs: 100_000 },
    );
  });

  it('treats a body that ends early as a broken connection', async () => {
    await withServer([{ status: 200, body: '{"conversations":[' }], async (natter) => {
      const error = await codeOf(collect(natter.conversations.v3.iterate({}, { retries: 0 })));
      expect(error).toMatch(/^NETWORK_ERROR: .*The answer ended before it was complete/);
    });
  });

  it.each([
    ['[]'],
    ['{"conversations":[1 2]}'],
    ['{"conversations":[]} {}'],
    ['{"cursor":null}'],
    ['{"conversations":[{}]}'],
  ])('refuses a streamed list: %s', async (body) => {
    await withServer([{ status: 200, body }], async (natter) => {
      expect(await codeOf(collect(natter.conversations.v3.iterate()))).toContain('INVALID_RESPONSE');
    });
  });

  it("limits the time between two chunks, not the consumer's time", async () => {
    const timers = new Set<() => void>();
    const clock = {
      now: () => 0,
      random: () => 0,
      startTimer: (_: number, run: () => void) => {
        timers.add(run);
        return () => void timers.delete(run);
      },
    };
    const head = `{"conversations":[${JSON.stringify(record('a'))}`;
    await withServer(
      [(response) => void response.writeHead(200).write(head)],
      async (natter) => {
        const items = natter.conversations.v3.iterate({}, { timeoutMs: 60, retries: 0 });
        expect((await items.next()).value).toMatchObject({ id: 'a' });
        expect(timers.size, 'no time runs while the consumer works').toBe(0);
        const next = codeOf(items.next());
        expect(timers.size).toBe(1);
        for (const expire of timers) expire();
        expect(await next).toContain('TIMEOUT');
      },
      { clock },
    );
  });

  it('ends with ABORTED when the signal is aborted in the middle of a list', async () => {
    const controller = new AbortController();
    const head = `{"conversations":[${JSON.stringify(record('a'))}`;
    await withServer([(response) => void response.writeHead(200).write(head)], async (natter) => {
      const items = natter.conversations.v3.iterate({}, { signal: controller.signal });
      await items.next();
      controller.abort();
      expect(await codeOf(items.next())).toContain('ABORTED');
    });
  });
});

describe('a conversation by its id', () => {
  it('reads a single conversation from the monitoring service, in either spelling', async () => {
    const body = {
      conversationId: 'CONV-1',
      accountId: 'ws-1',
      projectId: 'PROJECT-1',
      polyaiDuration: 12,
      polyScore: 0.8,
      note: null,
      turns: [{ user_input: 'hi', entities: [{ port: 'Oban' }] }],
      metrics: { A: 1 },
    };
    await withServer([{ status: 200, body }], async (natter, { seen }) => {
      const found = await natter.conversations.get('CONV-1');
      expect(seen[0]?.url).toBe('/v1/agents/ferries/conversations/CONV-1');
      expect(seen[0]?.headers['x-api-key']).toBe('key-monitoring');
      expect(found).toMatchObject({ platformDuration: 12, qualityScore: 0.8, metrics: { A: '1' } });
      expect(found.turns?.[0]).toMatchObject({
        user_input: 'hi',
        agent_response: '',
        entities: { port: 'Oban' },
      });
      expect('note' in found).toBe(false);
    });
  });
});
