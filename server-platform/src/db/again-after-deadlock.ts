import { isDatabaseError } from './database-error.ts';

const DEADLOCK = '40P01';
const MAX_LOSSES = 20;

/**
 * Runs one transaction, and runs it again each time PostgreSQL ends it for a deadlock: nothing of it was written then.
 * Nodes that write and a migration lock tables in orders of their own.
 */
export async function againAfterDeadlock<Value>(transaction: () => Promise<Value>): Promise<Value> {
  for (let losses = 0; ; losses += 1) {
    try {
      return await transaction();
    } catch (error) {
      if (!isDatabaseError(error) || error.sqlState !== DEADLOCK || losses === MAX_LOSSES) throw error;
    }
  }
}
