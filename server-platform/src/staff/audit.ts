import { and, desc, eq, lt } from 'drizzle-orm';
import { deskAudit, queryBuilder, type Sql } from '../db/index.ts';

/** An action of a person at the desk. */
export interface AuditEntry {
  readonly accountId: string;
  /** Email address, or `command line`. */
  readonly actor: string;
  readonly action: string;
  /** The object of the action. */
  readonly subject: string;
}

/** Actor of actions on the command line. */
export const COMMAND_LINE = 'command line';

/** Records an action, in its transaction. */
export async function writeAudit(sql: Sql, entry: AuditEntry, nowMs: number): Promise<void> {
  await queryBuilder(sql)
    .insert(deskAudit)
    .values({ ...entry, at: nowMs });
}

/** The entries of an account, the newest first; with `before` those that came before that one. */
export async function listAudit(
  sql: Sql,
  accountId: string,
  { before, limit }: { readonly before: number | null; readonly limit: number },
): Promise<readonly (AuditEntry & { readonly id: number; readonly atMs: number })[]> {
  const rows = await queryBuilder(sql)
    .select()
    .from(deskAudit)
    .where(and(eq(deskAudit.accountId, accountId), before === null ? undefined : lt(deskAudit.id, before)))
    .orderBy(desc(deskAudit.id))
    .limit(limit);
  return rows.map(({ at, ...entry }) => ({ ...entry, atMs: at }));
}
