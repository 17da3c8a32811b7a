import { DatabaseError } from '../database-error.ts';
import type { Database } from '../sql.ts';

/** How to open the embedded database. */
export type PgliteOptions = {
  readonly dataDir: string;
  readonly durable: boolean;
  readonly onProgress?: ((line: string) => void) | undefined;
};

/** Opens the embedded database. */
export async function openPglite(_options: PgliteOptions): Promise<Database> {
  throw new DatabaseError(
    'unavailable',
    'The embedded database is not part of this build. Set DATABASE_URL.',
  );
}
