import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeStorage } from '../../../test/db/describe-storage.ts';
import type { TestDatabase } from '../../../test/db/engines.ts';
import type { Sql } from '../../db/sql.ts';
import {
  acquireNodeLease,
  isChosenNode,
  LEASE_MS,
  LEASE_RENEWAL_MS,
  removeExpiredNodes,
} from './node-leases.ts';

const TASKS = Array.from({ length: 40 }, (_, index) => `task ${index}`);

describeStorage('a task that one node is enough for', (engine) => {
  let place: TestDatabase;
  beforeAll(async () => {
    place = await engine.open();
  });
  afterAll(() => place.close());

  const setLeases = async (secondsLeft: Readonly<Record<string, number>>): Promise<void> => {
    await place.database.query('DELETE FROM node_leases');
    for (const [node, seconds] of Object.entries(secondsLeft)) {
      await acquireNodeLease(place.database, node, seconds * 1000);
    }
  };
  const chosenFor = async (task: string, nodes: readonly string[]): Promise<readonly string[]> => {
    const verdicts = await Promise.all(
      nodes.map(async (node) => ((await isChosenNode(place.database, node, task)) ? node : null)),
    );
    return verdicts.filter((node) => node !== null);
  };

  it('assigns each task to one node, and spreads the tasks over the nodes', async () => {
    await setLeases({ a: 600, b: 600, c: 600 });
    const chosen = await Promise.all(TASKS.map((task) => chosenFor(task, ['a', 'b', 'c'])));
    expect(chosen.every((nodes) => nodes.length === 1)).toBe(true);
    expect(new Set(chosen.flat())).toEqual(new Set(['a', 'b', 'c']));
  });

  it("reassigns a task when its node's lease has expired", async () => {
    await setLeases({ a: -1, b: 600 });
    const chosen = await Promise.all(TASKS.map((task) => chosenFor(task, ['a', 'b'])));
    expect(new Set(chosen.flat())).toEqual(new Set(['b']));
  });

  it('assigns a task to every node while none has a lease', async () => {
    await setLeases({});
    expect(await chosenFor('task', ['a'])).toEqual(['a']);
  });
});

it('a lease can be renewed three times before it runs out', () => {
  expect(3 * LEASE_RENEWAL_MS).toBeLessThan(LEASE_MS);
});

it.each([1, 2])('a removal of expired nodes fails with its statement %i', async (failing) => {
  let count = 0;
  const query = async (): Promise<readonly object[]> => {
    count += 1;
    if (count === failing) throw new Error('the database is away');
    return [];
  };
  await expect(removeExpiredNodes({ query } as unknown as Sql)).rejects.toThrow('away');
});
