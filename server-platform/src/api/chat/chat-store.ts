import {
  and,
  asc,
  eq,
  sql as fragment,
  inArray,
  isNull,
  lt,
  lte,
  notInArray,
  or,
  type SQL,
} from 'drizzle-orm';
import type { AgentHistoryEntry } from '../../agents/index.ts';
import { chats, DATABASE_NOW, queryBuilder, type Sql } from '../../db/index.ts';
import type { Chat, ChatChange } from './chat.ts';

const now = fragment.raw(DATABASE_NOW);

/** Adds a conversation. */
export async function insertChat(sql: Sql, { lastActivityMs, variantId, ...chat }: Chat): Promise<void> {
  await queryBuilder(sql)
    .insert(chats)
    .values({ ...chat, variantId: variantId ?? '', lastActivity: lastActivityMs });
}

/** The conversation with an id, or null. */
export async function findChat(sql: Sql, conversationId: string): Promise<Chat | null> {
  const [row] = await queryBuilder(sql).select().from(chats).where(eq(chats.conversationId, conversationId));
  if (row === undefined) return null;
  const { holder: _holder, heldUntil: _heldUntil, lastActivity, variantId, ...chat } = row;
  return { ...chat, variantId: variantId === '' ? null : variantId, lastActivityMs: lastActivity };
}

/**
 * Locks a conversation until the transaction ends. `lost`: `node` no longer holds it, because it was suspended so long
 * that another node may have answered.
 */
export async function lockChat(
  sql: Sql,
  conversationId: string,
  node: string,
): Promise<'locked' | 'lost' | 'missing'> {
  const [row] = await queryBuilder(sql)
    .select({ holder: chats.holder })
    .from(chats)
    .where(eq(chats.conversationId, conversationId))
    .for('update');
  if (row === undefined) return 'missing';
  return row.holder === node ? 'locked' : 'lost';
}

/** Whether there is a conversation with an id. */
export async function hasChat(sql: Sql, conversationId: string): Promise<boolean> {
  return (await queryBuilder(sql).$count(chats, eq(chats.conversationId, conversationId))) > 0;
}

/** Changes the given columns of an open conversation. Resolves with `false` when it is no longer open. */
export async function changeChat(sql: Sql, conversationId: string, change: ChatChange): Promise<boolean> {
  const { lastActivityMs, ...columns } = change;
  const rows = await queryBuilder(sql)
    .update(chats)
    .set({ ...columns, lastActivity: lastActivityMs })
    .where(and(eq(chats.conversationId, conversationId), eq(chats.status, 'open')))
    .returning({ id: chats.conversationId });
  return rows.length > 0;
}

/** Lets a node answer the conversation's next call for some time; false while another one does. */
export async function holdChat(
  sql: Sql,
  conversationId: string,
  node: string,
  holdMs: number,
): Promise<boolean> {
  const isFree = or(isNull(chats.holder), eq(chats.holder, node), lt(chats.heldUntil, now));
  const rows = await queryBuilder(sql)
    .update(chats)
    .set({ holder: node, heldUntil: fragment`${now} + ${holdMs}` })
    .where(and(eq(chats.conversationId, conversationId), isFree))
    .returning({ id: chats.conversationId });
  return rows.length > 0;
}

/** Extends a hold. Has no effect if another node has taken it meanwhile, even if that one has released it since. */
export async function prolongHold(
  sql: Sql,
  conversationId: string,
  node: string,
  holdMs: number,
): Promise<void> {
  await queryBuilder(sql)
    .update(chats)
    .set({ heldUntil: fragment`${now} + ${holdMs}` })
    .where(and(eq(chats.conversationId, conversationId), eq(chats.holder, node)));
}

/** Releases a conversation that `node` holds. */
export async function releaseChat(sql: Sql, conversationId: string, node: string): Promise<void> {
  await queryBuilder(sql)
    .update(chats)
    .set({ holder: null })
    .where(and(eq(chats.conversationId, conversationId), eq(chats.holder, node)));
}

// While a call is running, its holder determines when the conversation is idle.
const isIdle = (idleSinceMs: number): SQL | undefined =>
  and(
    eq(chats.status, 'open'),
    lte(chats.lastActivity, idleSinceMs),
    or(isNull(chats.holder), lt(chats.heldUntil, now)),
  );

/**
 * Ids of open conversations without activity since a given time, oldest first, except those in `except`. Source: 3.4.
 */
export async function listIdleChats(
  sql: Sql,
  idleSinceMs: number,
  { limit, except }: { readonly limit: number; readonly except: readonly string[] },
): Promise<readonly string[]> {
  const rows = await queryBuilder(sql)
    .select({ id: chats.conversationId })
    .from(chats)
    .where(and(isIdle(idleSinceMs), notInArray(chats.conversationId, [...except])))
    .orderBy(asc(chats.lastActivity))
    .limit(limit);
  return rows.map(({ id }) => id);
}

/** Marks conversations that are still idle as timed out, and returns their last activity. Source: 3.4. */
export async function timeOutChats(
  sql: Sql,
  ids: readonly string[],
  idleSinceMs: number,
): Promise<readonly { readonly conversationId: string; readonly lastActivityMs: number }[]> {
  return await sql.tx(async (tx) => {
    const build = queryBuilder(tx);
    const idle = await build
      .select({ conversationId: chats.conversationId, lastActivityMs: chats.lastActivity })
      .from(chats)
      .where(and(isIdle(idleSinceMs), inArray(chats.conversationId, [...ids])))
      .orderBy(asc(chats.conversationId))
      .for('no key update');
    const locked = idle.map(({ conversationId }) => conversationId);
    await build.update(chats).set({ status: 'timed_out' }).where(inArray(chats.conversationId, locked));
    return idle;
  });
}

// In addition to the byte limit.
const MAX_TURNS = 200;

const READ_HISTORY = `
SELECT user_input AS user, agent_response AS agent
  FROM (SELECT *, sum(length(user_input) + length(agent_response)) OVER (ORDER BY ordinal DESC)
                  - length(user_input) - length(agent_response) AS after
          FROM (SELECT ordinal, left(user_input, $2) AS user_input, left(agent_response, $2) AS agent_response
                  FROM conversation_turns WHERE conversation_id = $1
                 ORDER BY ordinal DESC LIMIT ${MAX_TURNS}) last) sized
 WHERE after < 2 * $2::int
 ORDER BY ordinal`;

/** The most recent texts of a conversation from its record, oldest first, within a byte limit. A long text is cut. */
export async function readChatHistory(
  sql: Sql,
  conversationId: string,
  historyBytes: number,
): Promise<readonly AgentHistoryEntry[]> {
  const rows = await sql.query<{ readonly user: string; readonly agent: string }>(READ_HISTORY, [
    conversationId,
    Math.floor(historyBytes / 2),
  ]);
  return rows
    .flatMap(({ user, agent }): readonly AgentHistoryEntry[] => [
      { author: 'user', text: user },
      { author: 'agent', text: agent },
    ])
    .filter(({ text }) => text !== '');
}

/** Size of a conversation's record in bytes of text. */
export async function countChatBytes(sql: Sql, conversationId: string): Promise<number> {
  const [row] = await sql.query<{ readonly bytes: number }>(
    `SELECT coalesce(sum(octet_length(user_input) + octet_length(agent_response)), 0)::bigint AS bytes
       FROM conversation_turns WHERE conversation_id = $1`,
    [conversationId],
  );
  return row?.bytes ?? 0;
}
