import { eq } from 'drizzle-orm';
import {
  AccountError,
  findAccountById,
  findConnectorById,
  findProjectById,
  isUuid,
} from '../../accounts/index.ts';
import { conversations, queryBuilder, type Sql } from '../../db/index.ts';
import { findSessionOf, loadSession, type StoredSession } from '../../realtime/event-log/index.ts';

/** A conversation on record. */
export type RecordedConversation = typeof conversations.$inferSelect;

/** The session or conversation that an id names, or both. */
export interface Subject {
  readonly session: StoredSession | null;
  readonly conversation: RecordedConversation | null;
}

const WHERE_IDS_ARE =
  "The log names sessions as sessionId; a conversation's page in the console has its id in its address.";

/** Finds a session or conversation by id. Fails with an `AccountError` that says what to do next. */
export async function findSubject(sql: Sql, reference: string): Promise<Subject> {
  const id = reference.trim();
  if (isUuid(id)) return await findBySession(sql, id);
  const conversation = await findConversation(sql, id);
  if (conversation !== null) return { conversation, session: await findSessionOf(sql, id) };
  throw await explainUnknown(sql, id);
}

async function findBySession(sql: Sql, id: string): Promise<Subject> {
  const session = await loadSession(sql, id);
  if (session === null) throw await explainUnknown(sql, id);
  const { conversationId } = session;
  return {
    session,
    conversation: conversationId === null ? null : await findConversation(sql, conversationId),
  };
}

async function findConversation(sql: Sql, id: string): Promise<RecordedConversation | null> {
  // PostgreSQL text cannot contain it.
  if (id.includes('\0')) return null;
  const [row = null] = await queryBuilder(sql).select().from(conversations).where(eq(conversations.id, id));
  return row;
}

async function explainUnknown(sql: Sql, id: string): Promise<AccountError> {
  const other = await nameOther(sql, id);
  const quoted = JSON.stringify(id);
  if (other !== null)
    return new AccountError('invalid', `${quoted} is the id of ${other}, not of a session. ${WHERE_IDS_ARE}`);
  if (isUuid(id) || /^CONV-/.test(id))
    return new AccountError(
      'not_found',
      `There is no ${isUuid(id) ? 'session' : 'conversation'} ${quoted} here. It was erased, retention removed it, or it is in another database: see --data and DATABASE_URL.`,
    );
  return new AccountError(
    'invalid',
    `${quoted} is neither the id of a session, such as 0b2f6c1e-…, nor of a conversation, such as CONV-…. ${WHERE_IDS_ARE}`,
  );
}

async function nameOther(sql: Sql, id: string): Promise<string | null> {
  if (isUuid(id)) return (await findConnectorById(sql, id)) === null ? null : 'a connector';
  if (id.startsWith('PROJECT-')) return (await findProjectById(sql, id)) === null ? null : 'a project';
  if (id.startsWith('ACCOUNT-')) return (await findAccountById(sql, id)) === null ? null : 'an account';
  return null;
}
