import { afterEach, beforeEach, expect, it } from 'vitest';
import { describeStorage } from '../../../test/db/describe-storage.ts';
import type { TestDatabase } from '../../../test/db/engines.ts';
import { addAccount, addProject, changeProject, NO_RETENTION } from '../../accounts/index.ts';
import { dayOf, FIRST_ID_WITHOUT_DAY, firstIdOfDay } from '../../db/ids/index.ts';
import type { Database } from '../../db/index.ts';
import { addEventPartitions } from '../event-log/index.ts';
import { SessionIds } from './session-ids.ts';

const NOW_MS = Date.parse('2026-11-28T23:59:59Z');
const TODAY = dayOf(NOW_MS);

describeStorage('session ids', (engine) => {
  let place: TestDatabase;
  let database: Database;
  beforeEach(async () => {
    place = await engine.open();
    database = place.database;
  });
  afterEach(() => place.close());

  it('creates ids of the current day if the project removes events by day and the day has a partition', async () => {
    const account = await addAccount(database, { slug: 'a' });
    const add = async (slug: string, events: number | null) => {
      const project = await addProject(database, account, { slug });
      await changeProject(database, project, { retention: { ...NO_RETENTION, events, audio: 1 } });
      return project.id;
    };
    const month = await add('month', 30);
    const others = [
      await add('unreadable', 30),
      await add('ever', null),
      await add('two-days', 2),
      await add('year', 365),
    ];
    await database.query(
      `UPDATE projects SET settings = '{"retention_days":{"events":"many"}}' WHERE id = $1`,
      [others[0] ?? ''],
    );
    await addEventPartitions(database, [TODAY]);
    const ids = new SessionIds();
    const isOfDay = (projectId: string, nowMs = NOW_MS): boolean => {
      const id = ids.create(projectId, nowMs);
      return id < FIRST_ID_WITHOUT_DAY && id > firstIdOfDay(TODAY);
    };
    expect(isOfDay(month)).toBe(false);
    await ids.refresh(database);
    expect(isOfDay(month)).toBe(true);
    expect(others.map((project) => isOfDay(project))).toEqual([false, false, false, false]);
    // The next day has no partition.
    expect(isOfDay(month, NOW_MS + 1_000)).toBe(false);
  });
});
