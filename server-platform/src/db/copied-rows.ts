import pg from 'pg';
import type { RowBytes, SqlValue } from './sql.ts';

// What a binary COPY begins with: a signature, flags, the length of an extension that has no use yet.
const HEADER_BYTES = 19;
const IS_NULL = -1;

/**
 * A statement whose rows come in the binary format of COPY: the library makes text of all others. COPY takes no
 * parameters, so they are written into the statement as quoted literals.
 */
export class CopiedRows extends pg.Query {
  readonly #onRow: (row: RowBytes) => void;
  #isBegun = false;

  constructor(
    text: string,
    params: readonly SqlValue[],
    on: { readonly row: (row: RowBytes) => void; readonly end: (error: Error | undefined) => void },
  ) {
    const statement = text.replace(/\$(\d+)/g, (_, place: string) => literal(params[Number(place) - 1]));
    super(`COPY (${statement}) TO STDOUT (FORMAT binary)`, on.end);
    this.#onRow = on.row;
  }

  /** Called by the library. The server sends every row in a separate message, the header with the first one. */
  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    let at = this.#isBegun ? 0 : HEADER_BYTES;
    this.#isBegun = true;
    const count = chunk.readInt16BE(at);
    at += 2;
    // Less than none is the end.
    if (count < 0) return;
    const row: (Buffer | null)[] = [];
    for (let column = 0; column < count; column += 1) {
      const length = chunk.readInt32BE(at);
      at += 4;
      row.push(length === IS_NULL ? null : chunk.subarray(at, at + length));
      at += Math.max(length, 0);
    }
    this.#onRow(row);
  }
}

function literal(value: SqlValue | undefined): string {
  if (value === null || value === undefined) return 'NULL';
  if (value instanceof Uint8Array) return pg.escapeLiteral(`\\x${Buffer.from(value).toString('hex')}`);
  if (typeof value === 'object') return `ARRAY[${value.map(literal).join(', ')}]`;
  return pg.escapeLiteral(String(value));
}
