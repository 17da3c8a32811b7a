import type { Database } from '../../db/index.ts';
import { storableText } from '../../db/index.ts';
import type { OutboundClient } from '../../kit/http/outbound/index.ts';
import { MAX_CHARACTERS, translateText } from './translate-text.ts';
import type { TranslationEndpoint } from './translation-endpoint.ts';

// Two requests per turn, some seconds each: a batch completes well before its claim expires.
const BATCH = 8;
const CLAIM_MS = 5 * 60_000;
const RETRY_MS = 60_000;
/** A turn that could not be translated for this long remains untranslated. */
const GIVE_UP_MS = 24 * 3_600_000;

type DueTurn = {
  readonly conversation_id: string;
  readonly ordinal: number;
  readonly user_input: string;
  readonly agent_response: string;
};

/** Options of {@link translateTurns}. */
export interface TranslateTurnsOptions {
  readonly database: Database;
  /** The project whose turns are translated. */
  readonly projectId: string;
  readonly endpoint: TranslationEndpoint;
  readonly client: OutboundClient;
  readonly nowMs: () => number;
  readonly signal: AbortSignal;
  /** Called for every failed turn; it is retried a minute later, for a day. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Translates a project's due turns in batches, and resolves with their number once none is due. Claims turns first, so
 * that several nodes share the work. Fills `translated_user_input` and `english_agent_response`.
 */
export async function translateTurns(options: TranslateTurnsOptions): Promise<number> {
  const { database, projectId, nowMs, signal } = options;
  let count = 0;
  while (!signal.aborted) {
    const due = await claimDueTurns(database, projectId, nowMs());
    if (due.length === 0) break;
    const done = await Promise.all(due.map((turn) => translateTurn(turn, options)));
    count += done.filter(Boolean).length;
  }
  return count;
}

async function claimDueTurns(
  database: Database,
  projectId: string,
  nowMs: number,
): Promise<readonly DueTurn[]> {
  return await database.query<DueTurn>(
    `UPDATE conversation_turns t SET translation_due_at = $1::bigint + $2::bigint
       FROM (SELECT d.conversation_id, d.ordinal
               FROM conversation_turns d JOIN conversations c ON c.id = d.conversation_id
              WHERE d.translation_due_at <= $1 AND c.project_id = $3
              ORDER BY d.translation_due_at LIMIT $4 FOR UPDATE OF d SKIP LOCKED) due
      WHERE t.conversation_id = due.conversation_id AND t.ordinal = due.ordinal
      RETURNING t.conversation_id, t.ordinal, left(t.user_input, ${MAX_CHARACTERS}) AS user_input,
                left(t.agent_response, ${MAX_CHARACTERS}) AS agent_response`,
    [nowMs, CLAIM_MS, projectId, BATCH],
  );
}

async function translateTurn(turn: DueTurn, options: TranslateTurnsOptions): Promise<boolean> {
  const { database, endpoint, client, nowMs, signal, onFailure } = options;
  const translate = async (text: string, language: string): Promise<string> =>
    text.trim() === '' ? '' : await translateText(endpoint, { text, language, signal }, client);
  try {
    const [userInput, agentResponse] = await Promise.all([
      translate(turn.user_input, endpoint.language),
      translate(turn.agent_response, 'en'),
    ]);
    await database.query(
      `UPDATE conversation_turns
          SET translated_user_input = $3, english_agent_response = $4, translation_due_at = NULL
        WHERE conversation_id = $1 AND ordinal = $2`,
      [turn.conversation_id, turn.ordinal, storableText(userInput), storableText(agentResponse)],
    );
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    onFailure(error);
    const now = nowMs();
    await database.query(
      `UPDATE conversation_turns
          SET translation_due_at = CASE WHEN recorded_at > $3::bigint - $4::bigint THEN $3::bigint + $5::bigint END
        WHERE conversation_id = $1 AND ordinal = $2`,
      [turn.conversation_id, turn.ordinal, now, GIVE_UP_MS, RETRY_MS],
    );
    return false;
  }
}
