import type { Sql } from '../db/index.ts';
import { listAccounts } from './accounts.ts';
import { listProjects } from './projects.ts';

/** The slugs of accounts and projects by id; none for a null or unknown id. */
export type ScopeNames = {
  accountOf(accountId: string | null): string | null;
  projectOf(projectId: string | null): { readonly account: string; readonly project: string } | null;
};

/** Reads the slugs of all accounts and projects, for lists. */
export async function readScopeNames(sql: Sql): Promise<ScopeNames> {
  const accounts = new Map((await listAccounts(sql)).map(({ id, slug }) => [id, slug]));
  const projects = new Map(
    (await listProjects(sql)).map(({ id, slug, accountId }) => [
      id,
      { account: accounts.get(accountId) ?? accountId, project: slug },
    ]),
  );
  return {
    accountOf: (accountId) => accounts.get(accountId ?? '') ?? null,
    projectOf: (projectId) => projects.get(projectId ?? '') ?? null,
  };
}
