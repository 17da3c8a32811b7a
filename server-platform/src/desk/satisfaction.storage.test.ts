import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeStorage } from '../../test/db/describe-storage.ts';
import { CONVERSATION_START } from '../../test/db/fixtures.ts';
import { type DeskFixture, startDeskFixture, type TestDesk } from '../../test/desk/desk-fixture.ts';
import {
  type ConversationChange,
  recordSurveyScore,
  writeConversations,
} from '../realtime/event-log/index.ts';
import { erase } from '../records/erasure/erase.ts';
import { insertRequest } from './requests.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const START_MS = Date.parse('2026-01-12T10:00:00Z');
const SPAN = 'from=2026-01-10T00:00:00Z&to=2026-01-20T00:00:00Z';

describeStorage('satisfaction', (engine) => {
  let fixture: DeskFixture;
  let boss: TestDesk;
  let support = '';
  beforeAll(async () => {
    fixture = await startDeskFixture(engine);
    boss = await fixture.sitDown('Sue', { role: 'supervisor' });
    support = await fixture.setQueue('Support');
    const { database } = fixture.platform;
    // Every account sees its own alone.
    await database.query(
      "INSERT INTO accounts (id, slug, name, created_at) VALUES ('ACCOUNT-2', 'b', 'B', 0)",
    );
    await database.query(
      "INSERT INTO projects (id, account_id, slug, name, created_at) VALUES ('PROJECT-2', 'ACCOUNT-2', 'q', 'Q', 0)",
    );
    await rate('alone', 0, { score: 5, comment: 'Quick.' });
    await rate('helped', 10 * MINUTE_MS, { score: 2, comment: 'Waited "long".' });
    await rate('skipping', 0, { score: null });
    await writeConversations(database, [conversation('silent', 0)]);
    await rate('later', DAY_MS, { score: 4 });
    await rate('before', -5 * DAY_MS, { score: 1, comment: 'Too early.' });
    await rate('elsewhere', 0, { score: 1, comment: 'Foreign.' }, { projectId: 'PROJECT-2' });
    await rate('tried', 0, { score: 1, comment: 'A test.' }, { environment: 'sandbox' });
    await ask('helped', 5 * MINUTE_MS);
  });
  afterAll(async () => {
    expect(fixture.platform.failures).toEqual([]);
    await fixture.stop();
  });

  type Start = Partial<NonNullable<ConversationChange['start']>>;
  /** A conversation of a minute. */
  function conversation(id: string, afterMs: number, start: Start = {}): ConversationChange {
    const atMs = START_MS + afterMs;
    return {
      id,
      start: { ...CONVERSATION_START, atMs, ...start },
      turns: [
        { kind: 'message', userInputAtMs: atMs, agentResponse: 'Noon.', agentResponseAtMs: atMs, atMs },
      ],
      end: { atMs: atMs + MINUTE_MS, reason: 'user' },
    };
  }
  async function rate(
    id: string,
    afterMs: number,
    answer: { readonly score: number | null; readonly comment?: string },
    start: Start = {},
  ): Promise<void> {
    const { database } = fixture.platform;
    await writeConversations(database, [conversation(id, afterMs, start)]);
    await recordSurveyScore(database, id, { ...answer, atMs: START_MS + afterMs + MINUTE_MS });
  }
  async function ask(conversationId: string, afterMs: number): Promise<void> {
    const requestedAtMs = START_MS + afterMs;
    await insertRequest(fixture.platform.database, {
      ...{ id: `ho_${conversationId}`, accountId: 'ACCOUNT-1', projectId: 'PROJECT-1', conversationId },
      ...{ sessionId: 'c0ffee00-0000-4000-8000-000000000000', provider: 'desk', personId: null },
      ...{
        queueId: support,
        status: 'ended',
        wantedPersonId: null,
        declined: {},
        skills: [],
        language: null,
      },
      ...{ reason: 'POLICY', requestedAtMs, offerExpiresAtMs: null, acceptedAtMs: requestedAtMs + 1 },
      ...{ endedAtMs: requestedAtMs + 2, endReason: null, offerMs: 1, returnMs: 1, position: null },
      ...{ estimatedWaitSeconds: null, unread: 0, tags: [], version: 0, pending: [], leftAtMs: null },
      seenMessageId: null,
    });
  }
  const show = async (isShown: boolean): Promise<void> => {
    const settings = JSON.stringify({ conversations: { show_transcripts: isShown } });
    await fixture.platform.database.query("UPDATE projects SET settings = $1 WHERE id = 'PROJECT-1'", [
      settings,
    ]);
  };
  const read = async (more = ''): Promise<Readonly<Record<string, unknown>>> =>
    (await boss.call(`GET /service-levels?${SPAN}${more}`)).body;

  it('returns average score and count of survey answers: in total, by queue and by day', async () => {
    const body = await read();
    expect(body).toMatchObject({ total: { requests: 1, scored: 3, score: 3.67 } });
    expect(body['queues']).toEqual([expect.objectContaining({ name: 'Support', scored: 1, score: 2 })]);
    expect(body['spans']).toEqual([
      expect.objectContaining({ start: '2026-01-12T00:00:00.000Z', requests: 1, scored: 2, score: 3.5 }),
      expect.objectContaining({ start: '2026-01-13T00:00:00.000Z', requests: 0, scored: 1, score: 4 }),
    ]);
    expect(await read(`&queue_id=${support}`)).toMatchObject({
      total: { scored: 1, score: 2 },
      spans: [{ start: '2026-01-12T00:00:00.000Z', scored: 1 }],
      comments: [{ conversation_id: 'helped' }],
    });
  });

  it('returns the newest survey comments with their scores, at most 50', async () => {
    expect((await read())['comments']).toEqual([
      {
        ...{ conversation_id: 'helped', project: 'p', score: 2, text: 'Waited "long".' },
        at: '2026-01-12T10:11:00.000Z',
      },
      {
        ...{ conversation_id: 'alone', project: 'p', score: 5, text: 'Quick.' },
        at: '2026-01-12T10:01:00.000Z',
      },
    ]);
    for (let index = 0; index < 51; index += 1)
      await rate(`many-${index}`, 30 * DAY_MS + index, { score: 3, comment: `${index}` });
    const { body } = await boss.call('GET /service-levels?from=2026-02-01T00:00:00Z&to=2026-03-01T00:00:00Z');
    const comments = body['comments'] as readonly { readonly text: string }[];
    expect([comments.length, comments[0]?.text, comments.at(-1)?.text]).toEqual([50, '50', '1']);
  });

  it('returns no comments of a project without transcripts, but its scores', async () => {
    await show(false);
    expect(await read()).toMatchObject({ total: { scored: 3 }, comments: [] });
    await show(true);
    expect((await read())['comments']).toHaveLength(2);
  });

  it('returns no survey answers of an erased conversation', async () => {
    const { database } = fixture.platform;
    const project = { id: 'PROJECT-1', accountId: 'ACCOUNT-1' };
    await erase(database, project, { kind: 'conversation', id: 'helped' });
    expect(await read()).toMatchObject({
      total: { scored: 2, score: 4.5 },
      comments: [{ conversation_id: 'alone' }],
    });
  });
});
