import { DatabaseError } from './database-error.ts';

/** Parses a `bigint` column as a number, rejecting values beyond the exact range. */
export function readSafeInteger(value: string): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) {
    throw new DatabaseError('rejected', 'A bigint column holds a value beyond the safe integers.', {
      sqlState: '22003',
    });
  }
  return number;
}
