import type { ConversationsQuery } from '@natter/sdk';
import { type Account, type Project, writeAccountId } from '../../accounts/index.ts';
import { findListed, type ListSources, readPosition } from './list-conversations.ts';
import { readConversations } from './read-conversations.ts';
import { type RecordContext, writeConversation } from './write-conversation.ts';
import { writeRecords } from './write-records.ts';

const LINES = { opening: '', separator: '\n', closing: '\n' };

/** Writes the v3 records of a query, at most `max`, as lines of JSON, in pieces of limited length. */
export async function* writeLines(
  sources: ListSources,
  { account, project }: { readonly account: Account; readonly project: Project },
  query: ConversationsQuery,
  { max, nowMs }: { readonly max: number; readonly nowMs: number },
): AsyncGenerator<string, void, undefined> {
  const context: RecordContext = {
    accountId: writeAccountId(account.id, false),
    settings: project.conversations,
    extras: {
      hasLatency: query.include_latency,
      hasContextState: query.include_context_state,
      hasMetadata: query.include_turn_metadata,
    },
    hasVendorNames: false,
    nowMs,
  };
  let after = readPosition(query.cursor, true, 'v3');
  for (let left = max; left > 0; ) {
    const { ids, next } = await findListed(sources, project, query, after);
    const some = ids.slice(0, left);
    left -= some.length;
    if (some.length > 0)
      yield* writeRecords(
        readConversations(sources.database, some),
        (stored) => writeConversation(stored, context),
        LINES,
      );
    if (next === null) return;
    after = next;
  }
}
