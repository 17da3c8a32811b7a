import {
  conversationsPageV1Schema,
  conversationsPageV2Schema,
  conversationsPageV3Schema,
  parseBody,
} from '@natter/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type RestFixture,
  type RestTestAnswer,
  startRestFixture,
} from '../../../test/api/rest/rest-fixture.ts';
import { describeStorage } from '../../../test/db/describe-storage.ts';
import { NOON_MS, recorded, said } from '../../../test/records/conversations/recorded.ts';
import { type ConversationSettings, changeProject } from '../../accounts/index.ts';
import { type ConversationChange, writeConversations } from '../../realtime/event-log/index.ts';
import { readCursor, writeCursor } from '../search/conversation-cursor.ts';
import { startConversationsFamily } from './conversations-family.ts';

const HOUR_MS = 3_600_000;
const SCHEMAS = {
  v1: conversationsPageV1Schema,
  v2: conversationsPageV2Schema,
  v3: conversationsPageV3Schema,
};
type Version = keyof typeof SCHEMAS;

const SHOWN: ConversationSettings = {
  showTranscripts: true,
  isStreaming: false,
  whitelist: null,
  responseMetrics: null,
};

describeStorage('lists of conversations', (engine) => {
  let rest: RestFixture;
  beforeAll(async () => {
    rest = await startRestFixture({
      engine,
      families: async (services) => [await startConversationsFamily(services)],
    });
    await writeConversations(rest.database, records(rest));
  });
  afterAll(() => rest.stop());

  const ask = (version: Version, query: string): Promise<RestTestAnswer> =>
    rest.call(`GET /${version}/acme/shop/conversations?${query}`, {
      key: version === 'v3' ? rest.keys.runtime : rest.keys.legacy,
    });
  const list = async (version: Version, query: string): Promise<Page> => {
    const { status, body, text } = await ask(version, query);
    expect(status, text).toBe(200);
    const parsed = parseBody<object>(SCHEMAS[version], body);
    if (!parsed.isOk) throw new Error(JSON.stringify(parsed.errors));
    // The schema has just validated it.
    return body as unknown as Page;
  };
  const idsOf = async (query: string, version: Version = 'v3'): Promise<readonly string[]> =>
    (await list(version, query)).conversations.map(({ id }) => id);
  const withSettings = async (
    settings: Partial<ConversationSettings>,
    work: () => Promise<void>,
  ): Promise<void> => {
    await changeProject(rest.database, rest.project, { conversations: { ...SHOWN, ...settings } });
    try {
      await work();
    } finally {
      await changeProject(rest.database, rest.project, { conversations: SHOWN });
    }
  };

  describe('filters (4.1)', () => {
    it.each([
      ['limit=50', ['A', 'B', 'C', 'D', 'E', 'F']],
      ['', ['A', 'B', 'C', 'D', 'E']],
      ['client_env=sandbox', ['S']],
      ['client_env=pre-release', []],
      ['start_time=2026-03-02T13:00:00Z', ['B', 'C', 'D', 'E', 'F']],
      ['end_time=2026-03-02T13:00:00Z', ['A']],
      ['start_time=2026-03-02T13:00:00Z&end_time=2026-03-02T14:00:00%2B00:00', ['B', 'C']],
      ['start_time=2026-03-02T13:00:00Z&end_time=2026-03-02T13:00:00Z', []],
      ['channel=voice', ['D']],
      ['channel=VOICE-SIP', ['D']],
      ['channel=Chat&channel=sms', ['B', 'E']],
      ['channel=smoke', []],
      ['variant_id=v2', ['C', 'F']],
      ['variant_name=Two', ['C', 'F']],
      ['variant_name=%00', []],
      ['in_progress=true', ['F']],
      ['in_progress=FALSE&limit=10', ['A', 'B', 'C', 'D', 'E']],
    ])('filters conversations by "%s" (4.1)', async (query, expected) => {
      expect(await idsOf(query)).toEqual(expected.map((name) => `CONV-${name}`));
    });

    it.each([
      ['limit=0', 'limit must be'],
      ['limit=5001', 'limit must be'],
      ['limit=ten', 'limit must be'],
      ['offset=-1', 'offset must be'],
      ['start_time=yesterday', 'start_time must be'],
      ['start_time=2026-03-03&end_time=2026-03-02', 'start_time must not be after end_time'],
      ['client_env=test', 'client_env must be one of'],
      ['variant_id=a&variant_name=b', 'variant_name must not be combined with variant_id'],
      ['in_progress=yes', 'in_progress must be'],
      ['limit=1&limit=2', 'limit must be given once'],
      ['query_type=transcript&sample=random&query=a', 'sample must not be combined with query_type'],
      ['query_type=transcript', 'query is required with query_type=transcript'],
      ['query_type=fuzzy&query=a', 'query_type must be one of'],
      ['query=a', 'query needs query_type'],
      ['query_type=transcript&query=', 'query must'],
      [`query_type=transcript&query=${'a'.repeat(1001)}`, 'query must be at most 1000 characters'],
      ['turn_type=user', 'turn_type needs query_type=transcript'],
      ['sample=random', 'start_time is required'],
      ['sample=random&start_time=2026-03-02', 'end_time is required'],
    ])('refuses a list with %s with 400 (CV-1)', async (query, text) => {
      const { status, body } = await ask('v3', query);
      expect([status, body['error_code']]).toEqual([400, 'SCHEMA_VALIDATION_FAILED']);
      expect(body['error_message']).toContain(text);
      expect(body['error']).toBe(body['error_message']);
    });

    it.each([
      ['v1', 'cursor=x', 'cursor'],
      ['v2', 'cursor=x', 'cursor'],
      ['v1', 'query_type=transcript', 'query_type'],
      ['v2', 'sample=random', 'sample'],
      ['v2', 'query=a', 'query'],
      ['v1', 'turn_type=user', 'turn_type'],
      ['v1', 'include_context_state=true', 'include_context_state'],
      ['v1', 'include_turn_metadata=true', 'include_turn_metadata'],
    ] as const)(
      'refuses an unsupported parameter of a list on %s: %s (CV-2)',
      async (version, query, name) => {
        const { status, body } = await ask(version, query);
        expect([status, body['error_message']]).toEqual([400, `${name} is not supported on ${version}`]);
      },
    );

    it('ignores include_latency in a list on v1 (4.1)', async () => {
      const page = await list('v1', 'include_latency=true&limit=1');
      expect(page.conversations[0]?.turns[0]).not.toHaveProperty('latency');
    });
  });

  describe('pages', () => {
    it('lists conversations in chronological order, then by id (CV-4)', async () => {
      expect(await idsOf('limit=50')).toEqual(['A', 'B', 'C', 'D', 'E', 'F'].map((name) => `CONV-${name}`));
    });

    it('pages through conversations by offset (CV-5)', async () => {
      for (const version of ['v1', 'v2', 'v3'] as const) {
        expect((await list(version, 'limit=4')).next_offset).toBe(4);
        const last = await list(version, 'limit=4&offset=4');
        expect(last.conversations).toHaveLength(2);
        expect(last).not.toHaveProperty('next_offset');
        expect(await list(version, 'limit=6')).not.toHaveProperty('next_offset');
        expect((await list(version, 'offset=50')).conversations).toEqual([]);
      }
    });

    it('pages through conversations by cursor, which is null at the end, and then without an offset (CV-6)', async () => {
      const first = await list('v3', 'limit=4');
      expect(first).toMatchObject({ next_offset: 4, cursor: expect.stringMatching(/^[\w-]+$/) });
      const second = await list('v3', `limit=1&offset=3&cursor=${first.cursor}`);
      expect(second.conversations.map(({ id }) => id)).toEqual(['CONV-E']);
      expect(second).not.toHaveProperty('next_offset');
      const third = await list('v3', `limit=1&cursor=${second.cursor}`);
      expect(third).toMatchObject({ conversations: [{ id: 'CONV-F' }], cursor: null });
      expect(await list('v1', '')).not.toHaveProperty('cursor');
      expect(await list('v2', '')).not.toHaveProperty('cursor');
    });

    it('neither skips nor repeats old conversations while new ones arrive (CV-6)', async () => {
      const environment = 'pre-release';
      const old = Array.from({ length: 10 }, (_, index) => `CONV-OLD-${index}`);
      const at = (index: number) => ({ atMs: NOON_MS + Math.floor(index / 3) * HOUR_MS, environment });
      await writeConversations(
        rest.database,
        old.map((id, index) => recorded(rest, id, { start: at(index) })),
      );
      const seen: string[] = [];
      let query = `client_env=${environment}&limit=3`;
      for (let page = 0; page < 10; page += 1) {
        const { conversations, cursor } = await list('v3', query);
        seen.push(...conversations.map(({ id }) => id));
        if (cursor === null) break;
        // One before, one in the middle, one at the end.
        await writeConversations(
          rest.database,
          [0, 5, 9].map((index) => recorded(rest, `CONV-NEW-${page}-${index}`, { start: at(index) })),
        );
        query = `client_env=${environment}&limit=3&cursor=${cursor}`;
      }
      expect(seen.filter((id) => id.startsWith('CONV-OLD-'))).toEqual(old);
    });

    it('refuses a list with an altered cursor (CV-7)', async () => {
      const cursor = writeCursor({ startedAtMs: NOON_MS, id: 'CONV-A' });
      const moved = JSON.parse(Buffer.from(cursor, 'base64url').toString());
      const forged = Buffer.from(JSON.stringify({ ...moved, started_at: 1 })).toString('base64url');
      const changed = [
        `${cursor}A`,
        `${cursor}=`,
        cursor.slice(1),
        cursor.toUpperCase(),
        forged,
        'x',
        'bnVsbA',
      ];
      for (const each of changed) {
        const { status, body } = await ask('v3', `cursor=${encodeURIComponent(each)}`);
        expect([status, body['error_code'], body['error_message']], each).toEqual([
          400,
          'GET_CONVERSATIONS_FILTER_PARSE_ERROR',
          'Malformed cursor',
        ]);
      }
      expect(readCursor(cursor)).toEqual({ startedAtMs: NOON_MS, id: 'CONV-A' });
    });
  });

  describe('searches on v3', () => {
    const DAY = 'start_time=2026-03-02&end_time=2026-03-03&limit=50';

    it.each([
      ['query=FERRY', ['A', 'C']],
      ['query=ferry%20dog', ['A']],
      ['query=dog,%20ferry!', ['A']],
      // C contains both words, but not in one turn.
      ['query=ferry%20thanks', []],
      ['query=noon&turn_type=agent', ['A']],
      ['query=noon&turn_type=user', []],
      ['query=ferr', []],
      ['query=...', []],
      ['query=STRASSE', []],
      ['query=Stra%C3%9Fe', ['B']],
      ['query=%C3%89T%C3%89', ['B']],
    ])('searches transcripts for "%s" (CV-3)', async (query, expected) => {
      expect(await idsOf(`${DAY}&query_type=transcript&${query}`)).toEqual(
        expected.map((name) => `CONV-${name}`),
      );
    });

    it('pages through a search of transcripts as through any list (CV-3, CV-8)', async () => {
      const page = await list('v3', `${DAY.replace('50', '1')}&query_type=transcript&query=ferry`);
      expect(page).toMatchObject({ conversations: [{ id: 'CONV-A' }], next_offset: 1 });
      const next = await list('v3', `${DAY}&query_type=transcript&query=ferry&cursor=${page.cursor}`);
      expect(next).toMatchObject({ conversations: [{ id: 'CONV-C' }], cursor: null });
    });

    it('lists the most similar conversations in chronological order, without further pages (CV-3, CV-4, CV-8)', async () => {
      const near = DAY.replace('50', '2');
      const page = await list('v3', `${near}&query_type=semantic&query=ferries%20with%20dogs`);
      expect(page.conversations.map(({ id }) => id)).toEqual(['CONV-A', 'CONV-C']);
      expect(page.cursor).toBeNull();
      expect(page).not.toHaveProperty('next_offset');
      const [nearest] = await idsOf(
        `${DAY.replace('50', '1')}&query_type=semantic&query=refunding%20invoices`,
      );
      expect(nearest).toBe('CONV-E');
    });

    it('finds a similar conversation of a moment ago (CV-3)', async () => {
      const start = { atMs: NOON_MS + 48 * HOUR_MS, environment: 'pre-release' };
      await writeConversations(rest.database, [recorded(rest, 'CONV-LATE', { start })]);
      const query =
        'client_env=pre-release&start_time=2026-03-04&end_time=2026-03-05&limit=1&query_type=semantic&query=lighthouse';
      expect(await idsOf(query)).toEqual([]);
      await writeConversations(rest.database, [
        { id: 'CONV-LATE', turns: [said('the lighthouse', 'is open')] },
      ]);
      expect(await idsOf(query)).toEqual(['CONV-LATE']);
      await writeConversations(rest.database, [
        recorded(rest, 'CONV-LATER', {
          start: { ...start, atMs: start.atMs + 1 },
          turns: [said('a bicycle', 'is here')],
        }),
      ]);
      await writeConversations(rest.database, [
        { id: 'CONV-LATE', turns: [said('and a bus? a bus!', 'no')] },
      ]);
      expect(await idsOf(query)).toEqual(['CONV-LATE']);
    });

    it('returns the requested number of random conversations in chronological order (CV-3, CV-4)', async () => {
      const drawn = new Set<string>();
      for (let index = 0; index < 60 && drawn.size < 6; index += 1) {
        const ids = await idsOf(`${DAY.replace('50', '3')}&sample=random`);
        expect(ids).toHaveLength(3);
        expect(ids).toEqual([...ids].sort());
        for (const id of ids) drawn.add(id);
      }
      expect(drawn.size).toBe(6);
    });

    it.each(['sample=random', 'query_type=semantic&query=a'])(
      'refuses offset and cursor with %s (CV-8)',
      async (mode) => {
        const name = mode.split('&')[0];
        for (const field of ['offset', 'cursor']) {
          const { status, body } = await ask('v3', `${DAY}&${mode}&${field}=1`);
          expect([status, body['error_message']]).toEqual([400, `${field} is not supported with ${name}`]);
        }
      },
    );
  });

  describe('streaming (CV-9)', () => {
    it.each(['v2', 'v3'] as const)(
      'streams the same JSON on %s, conversations first and cursor last',
      async (version) => {
        const plain = await list(version, 'limit=4');
        await withSettings({ isStreaming: true }, async () => {
          const { text, headers } = await ask(version, 'limit=4');
          expect(headers.get('transfer-encoding')).toBe('chunked');
          expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
          const streamed: Page = JSON.parse(text);
          expect(Object.keys(streamed)).toEqual(['conversations', 'descriptions', 'next_offset', 'cursor']);
          expect(streamed).toEqual({ ...plain, cursor: streamed.cursor });
          const next = await list(version, `limit=4&cursor=${streamed.cursor}`);
          expect(next).toMatchObject({ conversations: [{ id: 'CONV-E' }, { id: 'CONV-F' }], cursor: null });
        });
      },
    );

    it('streams an empty list completely', async () => {
      await withSettings({ isStreaming: true }, async () => {
        const { body } = await ask('v3', 'offset=50');
        expect(body).toMatchObject({ conversations: [], cursor: null });
      });
    });

    it('streams more than one batch of conversations', async () => {
      const start = { environment: 'sandbox', atMs: NOON_MS + HOUR_MS };
      const many = Array.from({ length: 250 }, (_, index) => recorded(rest, `CONV-MANY-${index}`, { start }));
      await writeConversations(rest.database, many);
      await withSettings({ isStreaming: true }, async () => {
        expect(await idsOf('client_env=sandbox&limit=300')).toHaveLength(251);
      });
      expect(await idsOf('client_env=sandbox&limit=300')).toHaveLength(251);
    });

    it('does not stream on v1', async () => {
      await withSettings({ isStreaming: true }, async () => {
        const { headers, body } = await ask('v1', '');
        expect(headers.get('transfer-encoding')).toBeNull();
        expect(body).not.toHaveProperty('cursor');
      });
    });
  });

  it('shows on v1 when a conversation ended (4.3)', async () => {
    const { headers } = await ask('v1', '');
    expect(headers.get('sunset')).toBe('Mon, 31 Aug 2026 00:00:00 GMT');
    expect(headers.get('deprecation')).toBe('@1772409600');
    expect((await ask('v2', '')).headers.get('sunset')).toBeNull();
  });

  it('shows only the fields of the whitelist on v1, and describes only those (4.3)', async () => {
    const whitelist = ['id', 'started_at', 'account_id', 'project_id'];
    await withSettings({ whitelist }, async () => {
      const page = await list('v1', 'limit=1');
      expect(page.conversations).toEqual([
        {
          id: 'CONV-A',
          account_id: rest.account.id,
          project_id: rest.project.id,
          started_at: '2026-03-02T12:00:00.000Z',
        },
      ]);
      const { conversations: all = {} } = (await list('v2', 'limit=1')).descriptions;
      expect(Object.keys(all).length).toBeGreaterThan(whitelist.length);
      const described = Object.entries(all).filter(([name]) => whitelist.includes(name));
      expect(page.descriptions).toEqual({ conversations: Object.fromEntries(described) });
      expect((await list('v2', 'limit=1')).conversations[0]).toHaveProperty('turns');
    });
  });
});

type Page = {
  readonly conversations: readonly { readonly id: string; readonly turns: readonly object[] }[];
  readonly descriptions: { readonly conversations?: Readonly<Record<string, string>> };
  readonly next_offset?: number;
  readonly cursor?: string | null;
};

function records(rest: RestFixture): readonly ConversationChange[] {
  const end = { atMs: NOON_MS + 10 * HOUR_MS, reason: 'user' as const };
  const at = (hours: number): number => NOON_MS + hours * HOUR_MS;
  return [
    recorded(rest, 'CONV-A', {
      turns: [
        said('', 'Hello, this is the ferry company.', { kind: 'greeting', userInputAtMs: null }),
        said('May my DOG come on the ferry?', 'Yes. It leaves at noon.'),
      ],
      end,
    }),
    // Written first, listed second: the same time, the smaller id.
    recorded(rest, 'CONV-C', {
      start: { atMs: at(1), variantId: 'v2', variantName: 'Two' },
      turns: [said('ferry times', 'At nine.'), said('thanks', 'You are welcome.')],
      end,
    }),
    recorded(rest, 'CONV-B', {
      start: { atMs: at(1), channel: 'CHAT' },
      turns: [said('Wo ist die Straße?', "C'est l'été.")],
      end,
    }),
    recorded(rest, 'CONV-D', {
      start: { atMs: at(2), channel: 'VOICE-SIP', fromNumber: '+441', toNumber: '+442' },
      turns: [said('opening hours', 'Nine to five.')],
      end,
    }),
    recorded(rest, 'CONV-E', {
      start: { atMs: at(3), channel: 'SMS' },
      turns: [said('I want a refund for my invoice', 'Send us the number.')],
      end,
    }),
    recorded(rest, 'CONV-F', { start: { atMs: at(4), variantId: 'v2', variantName: 'Two' } }),
    recorded(rest, 'CONV-S', { start: { environment: 'sandbox' }, end }),
  ];
}
