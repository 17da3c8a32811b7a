import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeStorage } from '../../../test/db/describe-storage.ts';
import type { TestDatabase } from '../../../test/db/engines.ts';
import { CONVERSATION_START } from '../../../test/db/fixtures.ts';
import { recordSurveyScore } from './record-survey-score.ts';
import { writeConversations } from './write-conversations.ts';

const START = { ...CONVERSATION_START, atMs: 1_000 };

const TURN = {
  kind: 'message' as const,
  userInputAtMs: 1_100,
  agentResponse: 'At noon.',
  agentResponseAtMs: 1_200,
  atMs: 1_300,
  metrics: { RESOLVED: true },
};

describeStorage('a survey score', ({ open }) => {
  let place: TestDatabase;
  beforeAll(async () => {
    place = await open();
  });
  afterAll(() => place.close());

  const add = (id: string, turns: number): Promise<void> =>
    writeConversations(place.database, [
      { id, start: START, turns: Array.from({ length: turns }, () => TURN) },
    ]);
  const metricsOf = async (id: string): Promise<readonly unknown[]> =>
    (
      await place.database.query<{ metrics: unknown }>(
        'SELECT metrics FROM conversation_turns WHERE conversation_id = $1 ORDER BY ordinal',
        [id],
      )
    ).map(({ metrics }) => metrics);
  const rowOf = (id: string): Promise<readonly unknown[]> =>
    place.database.query('SELECT score, scored_at FROM conversations WHERE id = $1', [id]);

  it('stores a survey score as a metric of the last turn and in the conversation’s row (CV-12)', async () => {
    await add('judged', 3);
    await add('longer', 4);
    await add('shorter', 1);
    await recordSurveyScore(place.database, 'judged', { score: 4, atMs: 2_000 });
    expect(await metricsOf('judged')).toEqual([
      { RESOLVED: true },
      { RESOLVED: true },
      { RESOLVED: true, CSAT_SCORE: 4 },
    ]);
    expect(await rowOf('judged')).toEqual([{ score: 4, scored_at: 2_000 }]);
    for (const id of ['longer', 'shorter'])
      expect(await metricsOf(id)).not.toContainEqual(expect.objectContaining({ CSAT_SCORE: 4 }));
  });

  it('stores a survey score with its comment, if any (EXT-7)', async () => {
    await add('explained', 1);
    await recordSurveyScore(place.database, 'explained', { score: 2, comment: ' Too slow. ', atMs: 2_000 });
    expect(await metricsOf('explained')).toEqual([
      { RESOLVED: true, CSAT_SCORE: 2, CSAT_COMMENT: 'Too slow.' },
    ]);
    await add('unexplained', 1);
    await recordSurveyScore(place.database, 'unexplained', { score: 2, comment: ' ', atMs: 2_000 });
    expect(await metricsOf('unexplained')).toEqual([{ RESOLVED: true, CSAT_SCORE: 2 }]);
  });

  it('preserves characters in the comment and other metrics that the database cannot unescape', async () => {
    const text = '\u0000 and half of \u{1F6A2}: \uD83D';
    const metrics = { TOPIC: text };
    await writeConversations(place.database, [{ id: 'odd', start: START, turns: [{ ...TURN, metrics }] }]);
    await recordSurveyScore(place.database, 'odd', { score: 1, comment: text, atMs: 2_000 });
    expect(await metricsOf('odd')).toEqual([{ TOPIC: text, CSAT_SCORE: 1, CSAT_COMMENT: text }]);
    expect(await rowOf('odd')).toEqual([{ score: 1, scored_at: 2_000 }]);
  });

  it('stores the word "skipped" when the user gave no score', async () => {
    await add('skipping', 1);
    await recordSurveyScore(place.database, 'skipping', { score: null, atMs: 2_000 });
    expect(await metricsOf('skipping')).toEqual([{ RESOLVED: true, CSAT_SCORE: 'skipped' }]);
    expect(await rowOf('skipping')).toEqual([{ score: null, scored_at: null }]);
  });

  it('ignores a survey score for a conversation without turns', async () => {
    await add('silent', 0);
    await recordSurveyScore(place.database, 'silent', { score: 5, atMs: 2_000 });
    expect(await metricsOf('silent')).toEqual([]);
    expect(await rowOf('silent')).toEqual([{ score: null, scored_at: null }]);
  });
});
