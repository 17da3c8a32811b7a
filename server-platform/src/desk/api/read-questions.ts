import type { Sql } from '../../db/index.ts';
import type { DeskRequest } from '../requests.ts';

const QUESTION_CHARACTERS = 120;

const QUESTIONS = `
  SELECT asked.id, left(first.user_input, ${QUESTION_CHARACTERS}) AS question
    FROM unnest($1::text[]) AS asked (id)
   CROSS JOIN LATERAL (
     SELECT user_input FROM conversation_turns
      WHERE conversation_id = asked.id AND user_input <> '' ORDER BY ordinal LIMIT 1) AS first`;

/** Visitors' first questions, which distinguish their conversations in a list, by the id of the conversation. */
export async function readQuestions(
  sql: Sql,
  requests: readonly DeskRequest[],
): Promise<Record<string, string>> {
  if (requests.length === 0) return {};
  const ids = [...new Set(requests.map(({ conversationId }) => conversationId))];
  const rows = await sql.query<{ id: string; question: string }>(QUESTIONS, [ids]);
  return Object.fromEntries(rows.map(({ id, question }) => [id, question]));
}
