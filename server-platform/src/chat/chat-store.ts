import type { AgentHistoryEntry } from '../agents/index.ts';
import { DATABASE_NOW, type Sql } from '../db/index.ts';
import type { Chat, ChatChange } from './chat.ts';

type ChatRow = {
  readonly conversation_id: string;
  readonly project_id: string;
  readonly connector_id: string;
  readonly status: Chat['status'];
  readonly agent: string;
  readonly variant_id: string;
  readonly language: string;
  readonly integration_attributes: Readonly<Record<string, unknown>> | null;
  readonly agent_state: Readonly<Record<string, unknown>>;
  readonly last_activity: number;
};

const COLUMNS = `conversation_id, project_id, connector_id, status, agent, variant_id, language,
  integration_attributes, agent_state, last_activity`;

/** Adds a conversation. */
export async function insertChat(sql: Sql, chat: Chat): Promise<void> {
  const { integrationAttributes } = chat;
  await sql.query(
    `INSERT INTO chats (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8::json, $9::json, $10)`,
    [
      chat.conversationId,
      chat.projectId,
      chat.connectorId,
      chat.status,
      chat.agent,
      chat.variantId ?? '',
      chat.language,
      integrationAttributes === null ? null : JSON.stringify(integrationAttributes),
      JSON.stringify(chat.agentState),
      chat.lastActivityMs,
    ],
  );
}

/** The conversation with an id, or null. */
export async function findChat(sql: Sql, conversationId: string): Promise<Chat | null> {
  const [row] = await sql.query<ChatRow>(`SELECT ${COLUMNS} FROM chats WHERE conversation_id = $1`, [
    conversationId,
  ]);
  return row === undefined ? null : readRow(row);
}

/** Keeps a conversation until the transaction ends; false when there is none. */
export async function lockChat(sql: Sql, conversationId: string): Promise<boolean> {
  const rows = await sql.query('SELECT 1 FROM chats WHERE conversation_id = $1 FOR UPDATE', [conversationId]);
  return rows.length > 0;
}

/** Changes what is given of an open conversation. Resolves with false when it is not open any more. */
export async function changeChat(sql: Sql, conversationId: string, change: ChatChange): Promise<boolean> {
  const { status, language, agentState, lastActivityMs } = change;
  const rows = await sql.query(
    `UPDATE chats SET status = COALESCE($2, status), language = COALESCE($3, language),
            agent_state = COALESCE($4::json, agent_state), last_activity = COALESCE($5, last_activity)
      WHERE conversation_id = $1 AND status = 'open' RETURNING conversation_id`,
    [
      conversationId,
      status ?? null,
      language ?? null,
      agentState === undefined ? null : JSON.stringify(agentState),
      lastActivityMs ?? null,
    ],
  );
  return rows.length > 0;
}

/** Lets a node answer the conversation's next call for so long; false while another one does. Repeating it prolongs it. */
export async function holdChat(
  sql: Sql,
  conversationId: string,
  node: string,
  holdMs: number,
): Promise<boolean> {
  const rows = await sql.query(
    `UPDATE chats SET holder = $2, held_until = ${DATABASE_NOW} + $3
      WHERE conversation_id = $1 AND (holder IS NULL OR holder = $2 OR held_until < ${DATABASE_NOW})
      RETURNING conversation_id`,
    [conversationId, node, holdMs],
  );
  return rows.length > 0;
}

/** Lets go of a conversation that `node` holds. */
export async function releaseChat(sql: Sql, conversationId: string, node: string): Promise<void> {
  await sql.query('UPDATE chats SET holder = NULL WHERE conversation_id = $1 AND holder = $2', [
    conversationId,
    node,
  ]);
}

// Of calls that run, the holder says when the conversation is idle.
const IS_IDLE = `status = 'open' AND last_activity <= $1 AND (holder IS NULL OR held_until < ${DATABASE_NOW})`;

/** Ids of open conversations without activity since a moment, oldest first, but those in `except`. Source: 3.4. */
export async function listIdleChats(
  sql: Sql,
  idleSinceMs: number,
  { limit, except }: { readonly limit: number; readonly except: readonly string[] },
): Promise<readonly string[]> {
  const rows = await sql.query<Pick<ChatRow, 'conversation_id'>>(
    `SELECT conversation_id FROM chats WHERE ${IS_IDLE} AND conversation_id <> ALL($2::text[])
      ORDER BY last_activity LIMIT $3`,
    [idleSinceMs, except, limit],
  );
  return rows.map((row) => row.conversation_id);
}

/** Marks those of the conversations that are idle still as timed out, and gives their last activity. Source: 3.4. */
export async function timeOutChats(
  sql: Sql,
  ids: readonly string[],
  idleSinceMs: number,
): Promise<readonly { readonly conversationId: string; readonly lastActivityMs: number }[]> {
  const rows = await sql.query<Pick<ChatRow, 'conversation_id' | 'last_activity'>>(
    `WITH idle AS MATERIALIZED (
       SELECT conversation_id FROM chats WHERE ${IS_IDLE} AND conversation_id = ANY($2::text[])
        ORDER BY conversation_id FOR NO KEY UPDATE
     )
     UPDATE chats c SET status = 'timed_out'
       FROM idle
      WHERE c.conversation_id = idle.conversation_id
      RETURNING c.conversation_id, c.last_activity`,
    [idleSinceMs, ids],
  );
  return rows.map((row) => ({ conversationId: row.conversation_id, lastActivityMs: row.last_activity }));
}

/** What was said in a conversation, oldest first, from its record. */
export async function readChatHistory(
  sql: Sql,
  conversationId: string,
): Promise<readonly AgentHistoryEntry[]> {
  const rows = await sql.query<{ readonly user_input: string; readonly agent_response: string }>(
    'SELECT user_input, agent_response FROM conversation_turns WHERE conversation_id = $1 ORDER BY ordinal',
    [conversationId],
  );
  return rows
    .flatMap((row): readonly AgentHistoryEntry[] => [
      { author: 'user', text: row.user_input },
      { author: 'agent', text: row.agent_response },
    ])
    .filter(({ text }) => text !== '');
}

function readRow(row: ChatRow): Chat {
  return {
    conversationId: row.conversation_id,
    projectId: row.project_id,
    connectorId: row.connector_id,
    status: row.status,
    agent: row.agent,
    variantId: row.variant_id === '' ? null : row.variant_id,
    language: row.language,
    integrationAttributes: row.integration_attributes,
    agentState: row.agent_state,
    lastActivityMs: row.last_activity,
  };
}
