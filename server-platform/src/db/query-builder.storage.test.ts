import { eq, sql as fragment, inArray } from 'drizzle-orm';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { describeStorage } from '../../test/db/describe-storage.ts';
import type { TestDatabase } from '../../test/db/engines.ts';
import { isDatabaseError } from './database-error.ts';
import { queryBuilder } from './query-builder.ts';
import { accounts, apiKeys, projects } from './schema/accounts.ts';

describeStorage('the query builder', ({ open }) => {
  let place: TestDatabase;
  beforeEach(async () => {
    place = await open();
    await queryBuilder(place.database)
      .insert(accounts)
      .values({ id: 'A', slug: 'a', name: 'An account', createdAt: 9_000_000_000_000 });
  });
  afterEach(() => place.close());

  it('keeps columns of the same name apart in a join', async () => {
    const build = queryBuilder(place.database);
    await build.insert(projects).values({
      id: 'P',
      accountId: 'A',
      slug: 'p',
      name: 'A project',
      createdAt: 5,
      settings: { list: ['x'] },
    });
    const rows = await build.select().from(projects).innerJoin(accounts, eq(accounts.id, projects.accountId));
    expect(rows).toEqual([
      {
        accounts: { id: 'A', slug: 'a', name: 'An account', createdAt: 9_000_000_000_000 },
        projects: {
          id: 'P',
          accountId: 'A',
          slug: 'p',
          name: 'A project',
          agent: null,
          settings: { list: ['x'] },
          createdAt: 5,
        },
      },
    ]);
  });

  it('returns the same rows from a prepared statement every time', async () => {
    const find = (slugs: readonly string[]) =>
      queryBuilder(place.database)
        .select({ id: accounts.id, slug: accounts.slug })
        .from(accounts)
        .where(fragment`${accounts.slug} = ANY(${fragment.param(slugs)}::text[])`)
        .prepare('accounts_by_slug')
        .execute();
    expect(await find(['a', 'b'])).toEqual([{ id: 'A', slug: 'a' }]);
    expect(await find(['b'])).toEqual([]);
    expect(await find(['a'])).toEqual([{ id: 'A', slug: 'a' }]);
  });

  it('counts all or some rows of a table', async () => {
    const build = queryBuilder(place.database);
    expect(await build.$count(accounts)).toBe(1);
    expect(await build.$count(accounts, eq(accounts.slug, 'b'))).toBe(0);
  });

  it('runs a built query in the current transaction, and is rolled back with it', async () => {
    const undone = place.database.tx(async (sql) => {
      await queryBuilder(sql).update(accounts).set({ name: 'Another' });
      throw new Error('no');
    });
    await expect(undone).rejects.toThrow('no');
    const [row] = await queryBuilder(place.database)
      .select()
      .from(accounts)
      .where(inArray(accounts.id, ['A']));
    expect(row?.name).toBe('An account');
  });

  it('fails a built query with a database error that does not name the values', async () => {
    const secret = 'a-secret-hash';
    const key = {
      id: '00000000-0000-4000-8000-000000000001',
      name: 'key',
      service: 'runtime' as const,
      permissions: [],
      keyHash: secret,
      keyHint: 'hint',
      createdAt: 0,
    };
    const build = queryBuilder(place.database);
    await build.insert(apiKeys).values(key);
    const error: unknown = await build
      .insert(apiKeys)
      .values(key)
      .catch((caught: unknown) => caught);
    expect(isDatabaseError(error) && error.sqlState).toBe('23505');
    expect(String(error)).not.toContain(secret);
  });
});
