import { isDatabaseError } from './database-error.ts';

const DEADLOCK = '40P01';
const MAX_LOSSES = 20;

/**
 * Runs a transaction, and repeats it whenever PostgreSQL aborts it for a deadlock, because then nothing was written.
 * Writers and migrations lock tables in different orders.
 */
export async function retryAfterDeadlock<Value>(transaction: () => Promise<Value>): Promise<Value> {
  for (let losses = 0; ; losses += 1) {
    try {
      return await transaction();
    } catch (error) {
      if (!isDatabaseError(error) || error.sqlState !== DEADLOCK || losses === MAX_LOSSES) throw error;
    }
  }
}
