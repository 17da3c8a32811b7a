import type { Database } from '../../db/index.ts';
import type { Embedder } from './embedder.ts';
import type { VectorStore } from './vector-store.ts';

const BATCH = 500;

type PendingRow = {
  readonly id: string;
  readonly num_turns: number;
  readonly user_text: string | null;
  readonly agent_text: string | null;
};

/**
 * Makes vectors for conversations in which something was said since the last one was made, at most `limit`, the newest
 * first. Resolves with their number. Rejects when the embedder is out of reach; those that were made are kept.
 */
export async function indexVectors(
  database: Database,
  store: VectorStore,
  embedder: Embedder,
  options: { readonly limit: number; readonly signal: AbortSignal },
): Promise<number> {
  let count = 0;
  while (count < options.limit) {
    const size = Math.min(BATCH, options.limit - count);
    const pending = await database.query<PendingRow>(
      `SELECT c.id, c.num_turns,
              (SELECT string_agg(user_input, E'\\n' ORDER BY ordinal) FROM conversation_turns
                WHERE conversation_id = c.id) AS user_text,
              (SELECT string_agg(agent_response, E'\\n' ORDER BY ordinal) FROM conversation_turns
                WHERE conversation_id = c.id AND kind <> 'greeting') AS agent_text
         FROM conversations c
        WHERE c.needs_vector
        ORDER BY c.started_at DESC
        LIMIT $1`,
      [size],
    );
    if (pending.length === 0) break;
    const texts = pending.map(({ user_text, agent_text }) => ({
      user: user_text ?? '',
      agent: agent_text ?? '',
    }));
    const vectors = await embedder.embedConversations(texts, options.signal);
    await database.tx(async (sql) => {
      await store.put(
        sql,
        pending.flatMap(({ id }, index) => {
          const vector = vectors[index];
          return vector === undefined ? [] : [{ id, vector }];
        }),
      );
      // Whoever went on talking meanwhile needs a new one.
      await sql.query(
        `UPDATE conversations c SET needs_vector = false
           FROM unnest($1::text[], $2::int[]) AS t (id, turns)
          WHERE c.id = t.id AND c.num_turns = t.turns`,
        [pending.map(({ id }) => id), pending.map(({ num_turns }) => num_turns)],
      );
    });
    count += pending.length;
  }
  return count;
}
