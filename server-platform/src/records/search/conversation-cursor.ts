import { createHash } from 'node:crypto';
import * as v from 'valibot';

/** A position in the list: after this conversation. Source: CV-4. */
export interface ListPosition {
  readonly startedAtMs: number;
  readonly id: string;
}

const positionSchema = v.strictObject({
  started_at: v.pipe(v.number(), v.safeInteger()),
  id: v.string(),
  checksum: v.string(),
});

/** The cursor of a position: base64url without padding of a JSON position and its checksum. Source: CV-7. */
export function writeCursor({ startedAtMs, id }: ListPosition): string {
  const position = { started_at: startedAtMs, id };
  return Buffer.from(JSON.stringify({ ...position, checksum: checksumOf(position) })).toString('base64url');
}

/** Returns a cursor's position; null when it was not made by {@link writeCursor} or was changed. Source: CV-7. */
export function readCursor(cursor: string): ListPosition | null {
  const parsed = v.safeParse(positionSchema, parseJson(Buffer.from(cursor, 'base64url').toString('utf8')));
  if (!parsed.success) return null;
  const position = { startedAtMs: parsed.output.started_at, id: parsed.output.id };
  // Decoding ignores foreign characters; encoding again reveals them.
  return writeCursor(position) === cursor ? position : null;
}

function checksumOf(position: { readonly started_at: number; readonly id: string }): string {
  const digest = createHash('sha256')
    .update(`natter conversation cursor\n${JSON.stringify(position)}`)
    .digest('base64url');
  return digest.slice(0, 16);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
