import { createHash, randomUUID } from 'node:crypto';
import { DATABASE_NOW, type Sql } from '../../db/index.ts';

/** How long a response is stored for repetitions of its call. Source: C-15. */
const KEPT_MS = 24 * 60 * 60 * 1000;
// Longer than any call takes. A node that dies during a call blocks its key for this long.
const ATTEMPT_MS = 10 * 60 * 1000;
/** Maximum stored responses per API key, and their total characters; the newest are kept. */
const MAX_ANSWERS = 100_000;
const MAX_CHARACTERS = 64 * 1024 * 1024;

/** A call that must run only once. */
export interface OnceCall {
  readonly apiKeyId: string;
  /** Scope in which the caller's key is unique: project, operation. */
  readonly scope: readonly string[];
  /** The caller's `Idempotency-Key`. */
  readonly idempotencyKey: string;
  /** The content of the call, which must be equal for the same key. */
  readonly content: readonly string[];
}

/** A response as sent; an empty body means none. */
export interface StoredResponse {
  readonly status: number;
  readonly body: string;
}

/**
 * The stored state of a call.
 *
 * - `claimed`: the caller runs it, and then calls `storeResponse` or `releaseClaim`.
 * - `answered`: it has run.
 * - `running`: it is running, here or on another node.
 * - `differs`: its key was used for another call.
 */
export type OnceClaim =
  | { readonly kind: 'claimed'; readonly key: string; readonly attempt: string }
  | { readonly kind: 'answered'; readonly answer: StoredResponse }
  | { readonly kind: 'running' }
  | { readonly kind: 'differs' };

// An expired row counts as absent.
const CLAIM = `
INSERT INTO idempotent_answers AS kept (key, api_key_id, fingerprint, attempt, kept_until)
VALUES ($1, $2, $3, $4, ${DATABASE_NOW} + $5::bigint)
    ON CONFLICT (key) DO UPDATE
   SET (fingerprint, attempt, status, body, conversation_id, kept_until)
     = (EXCLUDED.fingerprint, EXCLUDED.attempt, NULL, '', NULL, EXCLUDED.kept_until)
 WHERE kept.kept_until < ${DATABASE_NOW}
RETURNING key`;

/** Claims a call; only the first caller gets it. */
export async function claimCall(sql: Sql, call: OnceCall): Promise<OnceClaim> {
  const key = hash([call.apiKeyId, ...call.scope, call.idempotencyKey]);
  const fingerprint = hash(call.content);
  const attempt = randomUUID();
  for (;;) {
    const claimed = await sql.query(CLAIM, [key, call.apiKeyId, fingerprint, attempt, ATTEMPT_MS]);
    if (claimed.length > 0) return { kind: 'claimed', key, attempt };
    const [row] = await sql.query<{ fingerprint: string; status: number | null; body: string }>(
      'SELECT fingerprint, status, body FROM idempotent_answers WHERE key = $1',
      [key],
    );
    // Released between the two statements, so it can be claimed again.
    if (row === undefined) continue;
    if (row.fingerprint !== fingerprint) return { kind: 'differs' };
    const { status, body } = row;
    return status === null ? { kind: 'running' } : { kind: 'answered', answer: { status, body } };
  }
}

/** Stores the response of a claimed call. `conversationId`: the conversation that it is removed with. */
export async function storeResponse(
  sql: Sql,
  { key, attempt }: { readonly key: string; readonly attempt: string },
  { status, body }: StoredResponse,
  conversationId: string | null,
): Promise<void> {
  await sql.query(
    `UPDATE idempotent_answers
        SET status = $3, body = $4, conversation_id = $5, kept_until = ${DATABASE_NOW} + $6::bigint
      WHERE key = $1 AND attempt = $2`,
    [key, attempt, status, body, conversationId, KEPT_MS],
  );
}

/** Releases a claimed call that had no effect, so that the next one with its key runs. */
export async function releaseClaim(
  sql: Sql,
  { key, attempt }: { readonly key: string; readonly attempt: string },
): Promise<void> {
  await sql.query('DELETE FROM idempotent_answers WHERE key = $1 AND attempt = $2', [key, attempt]);
}

/** Removes answers whose time is over, and the oldest of API keys that have more than they may. */
export async function removeOldAnswers(
  sql: Sql,
  limits: { readonly maxAnswers: number; readonly maxCharacters: number } = {
    maxAnswers: MAX_ANSWERS,
    maxCharacters: MAX_CHARACTERS,
  },
): Promise<void> {
  await sql.query(
    `DELETE FROM idempotent_answers
      WHERE kept_until < ${DATABASE_NOW}
         OR key IN (
              SELECT key
                FROM (SELECT key, row_number() OVER newest AS count, sum(length(body)) OVER newest AS characters
                        FROM idempotent_answers
                       WHERE status IS NOT NULL
                      WINDOW newest AS (PARTITION BY api_key_id ORDER BY kept_until DESC, key)) ranked
               WHERE count > $1 OR characters > $2)`,
    [limits.maxAnswers, limits.maxCharacters],
  );
}

function hash(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
