import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { deskFiles, queryBuilder, type Sql } from '../db/index.ts';

/** A file that a person sends to a visitor. */
export interface SentFile {
  /** Part of its address. */
  readonly id: string;
  readonly name: string;
  /** Media type, determined by the content. */
  readonly type: string;
  /** Bytes. */
  readonly size: number;
}

/** Maximum size of a file. */
export const MAX_FILE_BYTES = 5_242_880;
/** Maximum number of files in a conversation. */
export const MAX_FILES = 20;

// Contents travel as base64: the embedded database takes ten times as long for bytes, and all other statements wait.

// Whoever has the address of a file can ask for it and read slowly.
const PIECE_BYTES = 262_144;

/** Length of an id: 192 random bits. */
const ID = /^[\w-]{32}$/;

/**
 * Stores a file of a session. Resolves with its id, the same one for the same `messageKey`; `full`: the session has as
 * many files as it may have; null: the session is gone.
 */
export async function keepFile(
  sql: Sql,
  sessionId: string,
  messageKey: string,
  { name, type, content }: Pick<SentFile, 'name' | 'type'> & { readonly content: Uint8Array },
  nowMs: number,
): Promise<{ readonly id: string; readonly isNew: boolean } | 'full' | null> {
  const [kept] = await sql.query<{ id: string }>(
    // Waits for an erasure of the session, so that no file outlives it.
    `WITH place AS (SELECT id FROM sessions WHERE id = $2 FOR KEY SHARE)
     INSERT INTO desk_files (id, session_id, message_key, name, type, content, created_at)
     SELECT $1, place.id, $3, $4, $5, decode($6::text, 'base64'), $7::bigint FROM place
      WHERE (SELECT count(*) FROM desk_files WHERE session_id = $2) < ${MAX_FILES}
     ON CONFLICT (message_key) DO NOTHING RETURNING id`,
    [
      randomBytes(24).toString('base64url'),
      sessionId,
      messageKey,
      name,
      type,
      Buffer.from(content).toString('base64'),
      nowMs,
    ],
  );
  if (kept !== undefined) return { ...kept, isNew: true };
  const [known] = await queryBuilder(sql)
    .select({ id: deskFiles.id })
    .from(deskFiles)
    .where(eq(deskFiles.messageKey, messageKey));
  if (known !== undefined) return { ...known, isNew: false };
  const sessions = await sql.query('SELECT 1 FROM sessions WHERE id = $1', [sessionId]);
  return sessions.length === 0 ? null : 'full';
}

/** The file with an id; null: there is none. */
export async function findFile(sql: Sql, id: string): Promise<SentFile | null> {
  if (!ID.test(id)) return null;
  const [file] = await sql.query<SentFile>(
    'SELECT id, name, type, octet_length(content) AS size FROM desk_files WHERE id = $1',
    [id],
  );
  return file ?? null;
}

/** Reads a file's content in pieces of {@link PIECE_BYTES}. Throws when the file is erased meanwhile. */
export async function* readContent(
  sql: Sql,
  { id, size }: SentFile,
): AsyncGenerator<Uint8Array, void, undefined> {
  for (let start = 0; start < size; start += PIECE_BYTES) {
    const [piece] = await sql.query<{ content: string }>(
      `SELECT encode(substring(content FROM $2::int FOR ${PIECE_BYTES}), 'base64') AS content
         FROM desk_files WHERE id = $1`,
      [id, start + 1],
    );
    if (piece === undefined) throw new Error('The file was erased while it was sent.');
    yield Buffer.from(piece.content, 'base64');
  }
}

/** Removes a file that never reached its visitor. */
export async function dropFile(sql: Sql, id: string): Promise<void> {
  await queryBuilder(sql).delete(deskFiles).where(eq(deskFiles.id, id));
}

/** The attachment of the message that has a file. Source: messaging.md 7.5. */
export function toAttachment(
  { id, name, type }: Omit<SentFile, 'size'>,
  origin: string,
): Readonly<Record<string, string>> {
  return {
    content_type: type.startsWith('image/') ? 'ATTACHMENT_CONTENT_TYPE_IMAGE' : 'ATTACHMENT_CONTENT_TYPE_URL',
    content_url: `${origin}/files/${id}/${encodeURIComponent(name)}`,
    title: name,
  };
}
