import type { ConversationDetail } from '@natter/sdk';
import { type Account, type Project, writeAccountId } from '../../accounts/index.ts';
import { type Sql, storableText } from '../../db/index.ts';
import { readConversation, readTurnsAfter } from './read-conversations.ts';
import { writeConversationDetail } from './write-conversation-detail.ts';
import { ONE_RECORD, writeRecords } from './write-records.ts';

/** One conversation with some of its turns. */
export interface ConversationPage {
  readonly conversation: ConversationDetail;
  /** Variables after the turns that changed them, by turn number; empty if turns are withheld. */
  readonly states: Readonly<Record<string, unknown>>;
  /** Number of the turn after which the conversation continues; null at its end. */
  readonly next: number | null;
}

/** Reads a project's conversation with the turns after a number, as many as fill a piece; null if it does not exist. */
export async function readConversationPage(
  sql: Sql,
  { account, project }: { readonly account: Account; readonly project: Project },
  { id, after, nowMs }: { readonly id: string; readonly after: number; readonly nowMs: number },
): Promise<ConversationPage | null> {
  const stored = await readConversation(sql, project.id, id);
  if (stored === null) return null;
  const { turns, next } = await readTurnsAfter(sql, stored, after);
  const context = {
    accountId: writeAccountId(account.id, false),
    settings: project.conversations,
    extras: { hasLatency: true, hasContextState: false, hasMetadata: false },
    hasVendorNames: false,
    nowMs,
  };
  let text = '';
  const write = (): ReturnType<typeof writeConversationDetail> => writeConversationDetail(stored, context);
  for await (const piece of writeRecords([{ ...stored, pages: [turns] }], write, ONE_RECORD)) text += piece;
  const states = turns.flatMap(({ contextState }, index) =>
    contextState === '' ? [] : [[after + index + 1, JSON.parse(contextState)]],
  );
  const { showTranscripts } = project.conversations;
  return {
    conversation: JSON.parse(text),
    states: showTranscripts ? Object.fromEntries(states) : {},
    next: showTranscripts ? next : null,
  };
}

/** Whether a project has this conversation. */
export async function hasConversation(sql: Sql, projectId: string, id: string): Promise<boolean> {
  const rows = await sql.query('SELECT 1 FROM conversations WHERE id = $1 AND project_id = $2', [
    storableText(id),
    projectId,
  ]);
  return rows.length > 0;
}
