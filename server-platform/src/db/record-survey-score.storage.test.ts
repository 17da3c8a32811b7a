import { afterAll, beforeAll, expect, it } from 'vitest';
import { recordSurveyScore } from './record-survey-score.ts';
import { describeStorage } from './testing/describe-storage.ts';
import type { TestDatabase } from './testing/engines.ts';
import { CONVERSATION_START } from './testing/fixtures.ts';
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

  it('is a metric of the last turn, beside those that it has (CV-12)', async () => {
    await add('judged', 3);
    await add('longer', 4);
    await add('shorter', 1);
    await recordSurveyScore(place.database, 'judged', 4);
    expect(await metricsOf('judged')).toEqual([
      { RESOLVED: true },
      { RESOLVED: true },
      { RESOLVED: true, CSAT_SCORE: 4 },
    ]);
    for (const id of ['longer', 'shorter'])
      expect(await metricsOf(id)).not.toContainEqual(expect.objectContaining({ CSAT_SCORE: 4 }));
  });

  it('stands beside the comment, if there is one (EXT-7)', async () => {
    await add('explained', 1);
    await recordSurveyScore(place.database, 'explained', 2, ' Too slow. ');
    expect(await metricsOf('explained')).toEqual([
      { RESOLVED: true, CSAT_SCORE: 2, CSAT_COMMENT: 'Too slow.' },
    ]);
    await add('unexplained', 1);
    await recordSurveyScore(place.database, 'unexplained', 2, ' ');
    expect(await metricsOf('unexplained')).toEqual([{ RESOLVED: true, CSAT_SCORE: 2 }]);
  });

  it('is the word "skipped" when the user gave none', async () => {
    await add('skipping', 1);
    await recordSurveyScore(place.database, 'skipping', null);
    expect(await metricsOf('skipping')).toEqual([{ RESOLVED: true, CSAT_SCORE: 'skipped' }]);
  });

  it('of a conversation without turns is left out', async () => {
    await add('silent', 0);
    await recordSurveyScore(place.database, 'silent', 5);
    expect(await metricsOf('silent')).toEqual([]);
  });
});
