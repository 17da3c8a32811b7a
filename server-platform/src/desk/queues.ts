import { randomUUID } from 'node:crypto';
import { and, asc, eq, sql as fragment, isNull } from 'drizzle-orm';
import { isOpenAt, readOpeningHours } from 'natter/protocol';
import { deskQueues, deskRequests, queryBuilder, type Sql } from '../db/index.ts';
import { toLocal } from '../kit/time-zone.ts';
import { speaks } from './plan-offers.ts';

/** A queue of the desk. */
export interface Queue {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly skills: readonly string[];
  /** Empty: every language. */
  readonly languages: readonly string[];
  /** Null: always open. */
  readonly hours: string | null;
  readonly timezone: string;
  readonly closedText: string | null;
}

/** The queues of an account, the oldest first. */
export async function listQueues(sql: Sql, accountId: string): Promise<readonly Queue[]> {
  const rows = await queryBuilder(sql)
    .select()
    .from(deskQueues)
    .where(eq(deskQueues.accountId, accountId))
    .orderBy(asc(deskQueues.createdAt), asc(deskQueues.id));
  return rows.map(({ createdAt: _, ...queue }) => queue);
}

/** Adds a queue, or changes the one with this name. Resolves with whether it was added. */
export async function setQueue(sql: Sql, queue: Omit<Queue, 'id'>, nowMs: number): Promise<boolean> {
  const { accountId, name, ...fields } = queue;
  return await sql.tx(async (tx) => {
    const changed = await queryBuilder(tx)
      .update(deskQueues)
      .set({ name, ...fields })
      .where(
        and(eq(deskQueues.accountId, accountId), eq(fragment`lower(${deskQueues.name})`, name.toLowerCase())),
      )
      .returning({ id: deskQueues.id });
    if (changed.length > 0) return false;
    await queryBuilder(tx)
      .insert(deskQueues)
      .values({ id: randomUUID(), ...queue, createdAt: nowMs });
    return true;
  });
}

/** Removes a queue with the record of its handoffs; false: it has an open conversation. */
export async function removeQueue(sql: Sql, id: string): Promise<boolean> {
  return await sql.tx(async (tx) => {
    const build = queryBuilder(tx);
    const open = await build
      .select({ id: deskRequests.id })
      .from(deskRequests)
      .where(and(eq(deskRequests.queueId, id), isNull(deskRequests.endedAt)))
      .limit(1);
    if (open.length > 0) return false;
    await build.delete(deskRequests).where(eq(deskRequests.queueId, id));
    await build.delete(deskQueues).where(eq(deskQueues.id, id));
    return true;
  });
}

/**
 * Chooses the queue of a handoff: the named one, or else the first, preferring queues that serve the language. Null:
 * the account has no queue.
 */
export function chooseQueue(
  queues: readonly Queue[],
  names: readonly (string | null)[],
  language: string | null,
): Queue | null {
  const wanted = names.flatMap((name) => name?.toLowerCase() ?? []);
  const serves = (queue: Queue): boolean => speaks(queue.languages, language);
  const named = queues.filter(({ name }) => wanted.includes(name.toLowerCase()));
  return named.find(serves) ?? queues.find(serves) ?? named[0] ?? queues[0] ?? null;
}

/** Whether a queue is open. */
export const isQueueOpen = ({ hours, timezone }: Queue, nowMs: number): boolean =>
  hours === null || isOpenAt(readOpeningHours(hours), toLocal(nowMs, timezone));
