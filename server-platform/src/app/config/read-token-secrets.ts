import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { loadOrCreateTokenSecret, tokenSecretFromText } from '../../accounts/tokens/index.ts';
import { TOKEN_SECRET_FILE } from './check-config.ts';
import type { PlatformConfig } from './load-config.ts';

/**
 * Reads the configured token secrets, newest first, or else the one that the first start created in the data folder.
 */
export async function readTokenSecrets({
  tokenSecrets,
  database,
}: PlatformConfig): Promise<readonly [Uint8Array, ...Uint8Array[]]> {
  const [newest, ...older] = tokenSecrets.map(tokenSecretFromText);
  if (newest !== undefined) return [newest, ...older];
  if (database.dataDir === 'memory') return [randomBytes(48)];
  return [await loadOrCreateTokenSecret(join(database.dataDir, TOKEN_SECRET_FILE))];
}
