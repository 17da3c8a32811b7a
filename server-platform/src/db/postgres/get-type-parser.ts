import pg from 'pg';
import { readSafeInteger } from '../read-safe-integer.ts';

const INT8_OID = 20;
const INT8_ARRAY_OID: number = 1016;

const readInt8Array: (value: string) => unknown = (value) => {
  const texts: unknown = pg.types.getTypeParser(INT8_ARRAY_OID, 'text')(value);
  return Array.isArray(texts) ? texts.map((text) => (text === null ? null : readSafeInteger(text))) : texts;
};

/** Returns a parser for a PostgreSQL type: `bigint` as a number, other types as `pg` parses their text. */
export function getTypeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  if (oid === INT8_OID) return readSafeInteger;
  if (oid === INT8_ARRAY_OID) return readInt8Array;
  return pg.types.getTypeParser(oid, format === 'binary' ? 'text' : format);
}
