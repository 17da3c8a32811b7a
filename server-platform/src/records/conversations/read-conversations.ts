import { type Sql, storableText } from '../../db/index.ts';
import { readAhead } from '../../realtime/event-log/index.ts';
import {
  type FoundConversation,
  PIECE_BYTES,
  readBatch,
  readLastState,
  readTurnPages,
  readTurnSummaryPages,
} from './conversation-rows.ts';
import type { StoredConversation, StoredHead, StoredTurn, TurnSummary } from './stored-conversation.ts';

// Each turn has a time, and many have metrics, which adds up in 10,000 turns.
const MAX_SUMMARY_CHARACTERS = 262_144;
// Half a megabyte of JSON, about fifteen milliseconds on the embedded database.
const BATCH = 250;

/**
 * Reads the conversations with these ids, in this order, without deleted ones. Their turns are read in pieces of {@link
 * PIECE_BYTES}, independent of their number and size: many short conversations at once, a long one while its pages are
 * consumed.
 */
export async function* readConversations(
  sql: Sql,
  ids: readonly string[],
): AsyncGenerator<StoredConversation, void, undefined> {
  const batches: (readonly string[])[] = [];
  for (let from = 0; from < ids.length; from += BATCH) batches.push(ids.slice(from, from + BATCH));
  for await (const batch of readAhead(batches, (some) => readBatch(sql, some))) {
    let waiting = batch;
    while (waiting.length > 0) {
      const end = waiting.findIndex(({ turns }) => turns === null);
      for (const { head, turns } of waiting.slice(0, end === -1 ? undefined : end))
        if (turns !== null) yield toShort(head, turns);
      waiting = end === -1 ? [] : waiting.slice(end);
      const [first] = waiting;
      if (first === undefined) break;
      if (first.size > PIECE_BYTES) {
        yield await readLong(sql, first.head);
        waiting = waiting.slice(1);
      } else {
        const some = waiting.slice(0, countThatFit(waiting)).map(({ id }) => id);
        waiting = [...(await readBatch(sql, some)), ...waiting.slice(some.length)];
      }
    }
  }
}

function countThatFit(waiting: readonly FoundConversation[]): number {
  let bytes = 0;
  const end = waiting.findIndex(({ size }) => {
    bytes += size;
    return bytes > PIECE_BYTES;
  });
  return end === -1 ? waiting.length : end;
}

function toShort(head: StoredHead, turns: readonly StoredTurn[]): StoredConversation {
  const state = turns.findLast(({ contextState }) => contextState !== '')?.contextState ?? '{}';
  const summaries = turns.map(({ userInputAt, agentResponseAt, recordedAt, metrics }) => ({
    at: userInputAt || agentResponseAt || recordedAt,
    metrics,
  }));
  return { ...head, summaries: summaries, hasMoreSummaries: false, state, pages: [turns] };
}

/** Reads a conversation whose turns exceed a piece. Turns added later are omitted, as in its number of turns. */
async function readLong(sql: Sql, head: StoredHead): Promise<StoredConversation> {
  const state = await readLastState(sql, head);
  const summaries: TurnSummary[] = [];
  let characters = 0;
  for await (const page of readTurnSummaryPages(sql, head)) {
    summaries.push(...page.summaries);
    characters += page.characters;
    if (characters > MAX_SUMMARY_CHARACTERS) break;
  }
  return {
    ...head,
    summaries: summaries,
    hasMoreSummaries: summaries.length < Number(head.numTurns),
    state,
    pages: readTurns(sql, head),
  };
}

async function* readTurns(
  sql: Sql,
  head: StoredHead,
): AsyncGenerator<readonly StoredTurn[], void, undefined> {
  for await (const { turns } of readTurnPages(sql, head)) yield turns;
}

/**
 * Reads turns of one conversation after a number, as many as fill a page, and the number after which it continues; null
 * at the end.
 */
export async function readTurnsAfter(
  sql: Sql,
  head: Pick<StoredHead, 'id' | 'numTurns'>,
  after: number,
): Promise<{ readonly turns: readonly StoredTurn[]; readonly next: number | null }> {
  for await (const { turns, last } of readTurnPages(sql, head, after))
    return { turns, next: last < Number(head.numTurns) ? last : null };
  return { turns: [], next: null };
}

/** One conversation of a project by its id, or null. */
export async function readConversation(
  sql: Sql,
  projectId: string,
  id: string,
): Promise<StoredConversation | null> {
  for await (const found of readConversations(sql, [storableText(id)]))
    if (found.projectId === JSON.stringify(projectId)) return found;
  return null;
}
